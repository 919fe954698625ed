package io.holdfast.cli;

import io.holdfast.failure.InvalidValueException;
import java.util.List;

/** A pooler in transaction mode in front of the server, told by what it does. */
record PoolerCheck() implements Check {

    @Override
    public String name() {
        return "pooler";
    }

    @Override
    public List<Finding> look(Session session, Examination examination) {
        try {
            examination.migrator().requireOwnSessions();
            return List.of();
        } catch (InvalidValueException e) {
            return List.of(notice(
                    "a pooler in transaction mode is in front: connections share sessions of the server",
                    "applications may use it, but migrations cannot; and named statements fail if it does not follow them",
                    "migrate over a URL that leads straight to the server; give HOLDFAST_NAMED_STATEMENTS=false where"
                            + " prepared statements fail"));
        }
    }
}
