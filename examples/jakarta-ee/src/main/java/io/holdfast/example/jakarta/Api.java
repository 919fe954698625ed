package io.holdfast.example.jakarta;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** Where the resources are found. */
@ApplicationPath("api")
public class Api extends Application {}
