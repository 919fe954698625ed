package io.holdfast.repository;

import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Where the database is and who logs in. Its {@code toString} shows neither.
 *
 * <p>A URL that carries a user or a password is refused: drivers, pools and Hibernate print URLs, in their logs and in their
 * exceptions, and take a password that is given by itself for the secret it is.
 *
 * @param url a JDBC URL of PostgreSQL: {@code jdbc:postgresql://host:port/database}, with or without the driver's parameters
 */
public record Endpoint(String url, String user, String password) {

    private static final String PREFIX = "jdbc:postgresql:";

    public Endpoint {
        Given.value("url", url);
        Given.value("user", user);
        Given.value("password", password);
        if (!url.startsWith(PREFIX)) {
            throw new InvalidValueException("url", "begin with " + PREFIX);
        }
        if (carriesCredentials(url)) {
            throw new InvalidValueException("url", "carry no credentials: user and password are given beside it");
        }
    }

    private static boolean carriesCredentials(String url) {
        int question = url.indexOf('?');
        String address = question < 0 ? url : url.substring(0, question);
        return address.contains("@")
                || Stream.of(url.substring(address.length()).split("[?&]"))
                        .map(parameter -> parameter.split("=", 2)[0])
                        .anyMatch(Endpoint::namesCredential);
    }

    /** {@code user}, {@code password} and {@code sslpassword}, however they are written. */
    private static boolean namesCredential(String parameter) {
        String name = plain(parameter).toLowerCase(Locale.ROOT);
        return name.equals("user") || name.contains("password");
    }

    private static String plain(String encoded) {
        try {
            return URLDecoder.decode(encoded, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return encoded;
        }
    }

    @Override
    public String toString() {
        return "Endpoint[redacted]";
    }
}
