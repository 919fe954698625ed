package io.holdfast.cli;

import io.holdfast.migrations.Components;
import io.holdfast.migrations.SchemaStatus;
import java.util.ArrayList;
import java.util.List;

/** Tables that are newer than this code, older, changed, or not there. */
record SchemaVersionCheck() implements Check {

    @Override
    public String name() {
        return "schema";
    }

    @Override
    public List<Finding> look(Session session, Examination examination) {
        List<Finding> findings = new ArrayList<>();
        examination.schemas().forEach((component, status) -> {
            if (!status.works()) {
                findings.add(found(component, status));
            }
        });
        return findings;
    }

    private Finding found(String component, SchemaStatus status) {
        String what = "component " + component + " is " + SchemaText.name(status) + ": " + SchemaText.says(status);
        if (status instanceof SchemaStatus.Unknown) {
            return notice(
                    what,
                    "this tool can neither check nor migrate it",
                    "nothing, if an application of yours has tables here; else use the newer release");
        }
        if (status instanceof SchemaStatus.Newer) {
            return trouble(
                    what,
                    "this release does not know what a newer one changed, and refuses to start on it",
                    "roll the newer release out everywhere; do not migrate back");
        }
        if (status instanceof SchemaStatus.Damaged) {
            return trouble(
                    what,
                    "the library refuses to start on it",
                    "restore what was changed by hand, from a backup if need be");
        }
        if (status instanceof SchemaStatus.Missing && component.equals(OperationsComponent.COMPONENT.name())) {
            return notice(
                    what,
                    "lease break, workflow cancel and approval settle refuse; applications do without",
                    "holdfast db migrate");
        }
        return trouble(
                what,
                Components.own().inOrder().stream().anyMatch(own -> own.name().equals(component))
                        ? "the library refuses to start on it"
                        : "commands that rely on it refuse, as lease break, workflow cancel and approval settle on operations",
                "holdfast db migrate");
    }
}
