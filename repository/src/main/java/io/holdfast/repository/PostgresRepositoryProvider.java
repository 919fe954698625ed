package io.holdfast.repository;

import io.holdfast.connect.RunRepository;
import io.holdfast.connect.RunRepositoryProvider;
import io.holdfast.connect.StoreUrl;
import io.holdfast.failure.MissingModuleException;

/** For {@link io.holdfast.connect.RunRepositories}, which finds it as a service: a pool of Holdfast's own. */
public final class PostgresRepositoryProvider implements RunRepositoryProvider {

    /** For the service loader. */
    public PostgresRepositoryProvider() {}

    @Override
    public String scheme() {
        return StoreUrl.POSTGRESQL;
    }

    @Override
    public RunRepository open(StoreUrl url) {
        require("com.zaxxer.hikari.HikariDataSource", "com.zaxxer:HikariCP");
        require("org.postgresql.Driver", "org.postgresql:postgresql");
        return new UrlRepository(settings(url));
    }

    static Settings settings(StoreUrl url) {
        return Settings.of("jdbc:postgresql:" + url.address(), url.user(), url.password());
    }

    /** A class that is there and cannot be loaded fails with its own error. */
    private static void require(String type, String artifact) {
        try {
            Class.forName(type, false, PostgresRepositoryProvider.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new MissingModuleException(artifact);
        }
    }
}
