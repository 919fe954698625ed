package io.holdfast.cli;

import java.sql.SQLException;
import java.util.List;

/** Looks for one thing that goes wrong in practice. Reads only; runs in a transaction of its own. */
interface Check {

    /** Stable; what findings are filed under. */
    String name();

    /** Whether it looks into tables of component core, so that it has to be left out where they are not. */
    default boolean needsTables() {
        return false;
    }

    /** Empty if all is well. */
    List<Finding> look(Session session, Examination examination) throws SQLException;

    default Finding trouble(String what, String why, String mend) {
        return new Finding(name(), Finding.Level.TROUBLE, what, why, mend);
    }

    default Finding notice(String what, String why, String mend) {
        return new Finding(name(), Finding.Level.NOTICE, what, why, mend);
    }
}
