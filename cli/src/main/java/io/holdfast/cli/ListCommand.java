package io.holdfast.cli;

import picocli.CommandLine.Mixin;

/** A command that lists rows, of one scope or of all, a page at a time. */
abstract class ListCommand extends DatabaseCommand {

    @Mixin
    final ScopeOption scope = new ScopeOption();

    @Mixin
    final Page page = new Page();

    ListCommand(Host host) {
        super(host);
    }
}
