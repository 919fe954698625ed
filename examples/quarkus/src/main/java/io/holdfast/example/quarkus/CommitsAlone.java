package io.holdfast.example.quarkus;

import jakarta.inject.Qualifier;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** The facade whose calls are transactions of their own, whatever the caller's transaction does. */
@Qualifier
@Retention(RetentionPolicy.RUNTIME)
public @interface CommitsAlone {}
