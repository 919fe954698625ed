package io.holdfast.connect;

/**
 * How a jar that keeps runs offers itself: {@link RunRepositories} finds it as a service, by
 * {@code META-INF/services/io.holdfast.connect.RunRepositoryProvider} or by {@code provides} of a module.
 */
public interface RunRepositoryProvider {

    /** The scheme it serves, as {@link StoreUrl#scheme} says it. */
    String scheme();

    /**
     * Does not connect.
     *
     * @throws io.holdfast.failure.MissingModuleException if a jar that it needs is not there
     */
    RunRepository open(StoreUrl url);
}
