/**
 * Races of the stores' statements, each scripted with two or three sessions: who holds which lock, who waits, who ends
 * first. {@code …RaceTest} shows that each is won by the right one; {@link io.holdfast.repository.race.GuardTest} takes one
 * guard after the other out of the statements and shows that the race it is for is then lost.
 */
package io.holdfast.repository.race;
