package io.holdfast.testing;

import java.lang.reflect.Method;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Runs every test on a virtual thread of its own, and so whatever it calls. Only where JUnit is told to look for extensions:
 * {@code -Djunit.jupiter.extensions.autodetection.enabled=true}. Needs Java 21, and fails without.
 */
public final class OnVirtualThreads implements InvocationInterceptor {

    private static final ExecutorService THREADS = threads();

    /** By name, since this is compiled for Java 17. */
    private static ExecutorService threads() {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> test, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        run(test);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> test, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        run(test);
    }

    private static void run(Invocation<Void> test) throws Throwable {
        try {
            THREADS.submit(() -> {
                        try {
                            return test.proceed();
                        } catch (Exception | Error e) {
                            throw e;
                        } catch (Throwable e) {
                            throw new AssertionError(e);
                        }
                    })
                    .get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }
}
