/** Holdfast's tables as an application would map them that writes its rows itself: with setters. */
@NullMarked
package io.holdfast.bench.entity;

import org.jspecify.annotations.NullMarked;
