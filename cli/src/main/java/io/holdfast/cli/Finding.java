package io.holdfast.cli;

import java.util.Locale;

/**
 * Something that a check came upon.
 *
 * @param check which one; stable
 * @param what is so
 * @param why it matters
 * @param mend what to do about it
 */
record Finding(String check, Level level, String what, String why, String mend) {

    /** How bad it is. */
    enum Level {
        /** Something does not work, or will not. */
        TROUBLE,
        /** Good to know. */
        NOTICE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
