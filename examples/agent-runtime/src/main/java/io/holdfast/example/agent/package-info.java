/**
 * An agent whose every model and tool call goes through the journal of its run, killed at every point at which it can be.
 *
 * <p>What an application would write is {@link io.holdfast.example.agent.AgentLoop}, with
 * {@link io.holdfast.example.agent.ToolCall} and {@link io.holdfast.example.agent.Place}: start there. Around them are a model that has
 * read its lines ({@link io.holdfast.example.agent.Model}) and two tools: mail, which recognises a call that is made again, and a
 * bank, which does not and has to be asked ({@link io.holdfast.example.agent.World}); one of them needs somebody's approval
 * ({@link io.holdfast.example.agent.Person}).
 *
 * <p>The rest is the driver: {@link io.holdfast.example.agent.Points} counts the calls that leave the loop and ends the process
 * before or after the one that is due, {@link io.holdfast.example.agent.Trials} does so for each of them and sees the run through
 * all the same, and {@link io.holdfast.example.agent.Judge} compares what came of it with a run that nobody disturbed.
 */
@NullMarked
package io.holdfast.example.agent;

import org.jspecify.annotations.NullMarked;
