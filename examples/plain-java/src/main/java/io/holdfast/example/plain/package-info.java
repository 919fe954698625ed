/**
 * Orders that are priced, charged and completed by three processes of plain Java, one of which is killed and one frozen.
 *
 * <p>What an application would write is {@link io.holdfast.example.plain.OrderWorker}: start there. Around it are a
 * provider of payments that stands for the world outside ({@link io.holdfast.example.plain.PaymentProvider}), the tables
 * of the application ({@link io.holdfast.example.plain.OrderBook}), and what makes it a demonstration: processes that are
 * killed and frozen at a known moment ({@link io.holdfast.example.plain.Director}), and SQL that looks for anything that
 * must not be ({@link io.holdfast.example.plain.Invariants}).
 */
@NullMarked
package io.holdfast.example.plain;

import org.jspecify.annotations.NullMarked;
