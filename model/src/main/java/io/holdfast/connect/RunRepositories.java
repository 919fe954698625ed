package io.holdfast.connect;

import io.holdfast.codec.Given;
import io.holdfast.failure.MissingModuleException;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/** The way from a URL to the runs behind it. */
public final class RunRepositories {

    /** The variable that {@link #url} falls back on. */
    public static final String VARIABLE = "HOLDFAST_RUNS_URL";

    private RunRepositories() {}

    /**
     * Finds what keeps runs at a URL, and does not connect yet. The service is looked for by the thread's class loader.
     *
     * @param url see {@link StoreUrl#parse}
     * @throws io.holdfast.failure.InvalidValueException if it is none of those; the URL is not shown
     * @throws MissingModuleException naming the jar that serves the scheme, if it is not there. A jar that is there and broken
     *     fails with its own error
     */
    public static RunRepository open(String url) {
        StoreUrl parsed = StoreUrl.parse(url);
        for (RunRepositoryProvider provider : ServiceLoader.load(RunRepositoryProvider.class)) {
            if (provider.scheme().equals(parsed.scheme())) {
                return provider.open(parsed);
            }
        }
        throw new MissingModuleException("io.holdfast:holdfast-repository");
    }

    /**
     * The URL that is given, or else that of variable {@value #VARIABLE}; without space around it. Empty if there is none.
     *
     * @param environment as {@code System.getenv()}
     */
    public static Optional<String> url(Optional<String> given, Map<String, String> environment) {
        return Given.value("given", given)
                .or(() -> Optional.ofNullable(
                        Given.value("environment", environment).get(VARIABLE)))
                .map(String::strip)
                .filter(url -> !url.isEmpty());
    }
}
