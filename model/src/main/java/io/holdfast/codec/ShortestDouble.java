package io.holdfast.codec;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * The fewest decimal digits that read back as the same double, and among those the closest; and the two notations that
 * the canonical forms use for them. {@link Double#toString} of JDK 17 does not always find the fewest (2e23 becomes
 * {@code 1.9999999999999998E23}; fixed in JDK 19, JDK-4511638).
 */
final class ShortestDouble {

    /** Every decimal of at most this many digits survives a round trip through a normal double, so it is unique. */
    private static final int UNIQUE_DIGITS = 15;

    /** This many digits identify every double. */
    private static final int ENOUGH_DIGITS = 17;

    private final String digits; // without leading or trailing zeros, except for "0"
    private final int point; // the value is 0.digits times 10 to this

    private ShortestDouble(BigDecimal value) {
        BigDecimal stripped = value.stripTrailingZeros();
        this.digits = stripped.unscaledValue().toString();
        this.point = stripped.precision() - stripped.scale();
    }

    /**
     * As Python's {@code repr}: fixed notation if the decimal exponent is -4 to 15, otherwise an exponent with a sign and
     * at least two digits; always with {@code .0} or an exponent, so that it stays a fraction when it is read back.
     */
    static void pythonic(StringBuilder out, double finite) {
        if (isNegative(finite)) {
            out.append('-');
        }
        if (finite == 0) {
            out.append("0.0");
            return;
        }
        ShortestDouble shortest = of(Math.abs(finite));
        if (shortest.point > 16 || shortest.point < -3) {
            shortest.scientific(out, 2);
        } else {
            shortest.fixed(out);
            if (shortest.point >= shortest.digits.length()) {
                out.append(".0");
            }
        }
    }

    /** As ECMAScript's {@code Number::toString}, which RFC 8785 prescribes. */
    static void ecmaScript(StringBuilder out, double finite) {
        if (finite == 0) {
            out.append('0'); // also for minus zero
            return;
        }
        if (finite < 0) {
            out.append('-');
        }
        ShortestDouble shortest = of(Math.abs(finite));
        if (shortest.point > 21 || shortest.point < -5) {
            shortest.scientific(out, 1);
        } else {
            shortest.fixed(out);
        }
    }

    /** The exact value of the decimal that is written for {@code finite}. */
    static BigDecimal decimal(double finite) {
        BigDecimal magnitude = finite == 0 ? BigDecimal.ZERO : search(Math.abs(finite));
        return finite < 0 ? magnitude.negate() : magnitude;
    }

    private static ShortestDouble of(double positive) {
        return new ShortestDouble(search(positive));
    }

    private static BigDecimal search(double positive) {
        boolean normal = positive >= Double.MIN_NORMAL;
        if (normal) {
            BigDecimal usual = new BigDecimal(Double.toString(positive)).stripTrailingZeros();
            if (usual.precision() <= UNIQUE_DIGITS) {
                return usual;
            }
        }
        BigDecimal exact = new BigDecimal(positive);
        for (int precision = normal ? UNIQUE_DIGITS : 1; precision < ENOUGH_DIGITS; precision++) {
            BigDecimal nearest = exact.round(new MathContext(precision, RoundingMode.HALF_EVEN));
            if (nearest.doubleValue() == positive) {
                return nearest;
            }
            // Below a power of two doubles lie closer together than above it: the nearest decimal can belong to the
            // neighbour below while the next one up still belongs to this double, as for 2^-44.
            boolean down = nearest.compareTo(exact) > 0;
            BigDecimal other = exact.round(new MathContext(precision, down ? RoundingMode.DOWN : RoundingMode.UP));
            if (other.doubleValue() == positive) {
                return other;
            }
        }
        return exact.round(new MathContext(ENOUGH_DIGITS, RoundingMode.HALF_EVEN));
    }

    private void fixed(StringBuilder out) {
        if (point <= 0) {
            out.append("0.").append("0".repeat(-point)).append(digits);
        } else if (point >= digits.length()) {
            out.append(digits).append("0".repeat(point - digits.length()));
        } else {
            out.append(digits, 0, point).append('.').append(digits, point, digits.length());
        }
    }

    private void scientific(StringBuilder out, int exponentDigits) {
        out.append(digits.charAt(0));
        if (digits.length() > 1) {
            out.append('.').append(digits, 1, digits.length());
        }
        int exponent = point - 1;
        String magnitude = Integer.toString(Math.abs(exponent));
        out.append('e').append(exponent < 0 ? '-' : '+');
        out.append("0".repeat(Math.max(0, exponentDigits - magnitude.length()))).append(magnitude);
    }

    private static boolean isNegative(double value) {
        return Double.doubleToRawLongBits(value) < 0;
    }
}
