package io.setplan.adapter.verify;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Quantities, read exactly: 1Gi, 1024Mi and 1073741824 are the same. */
final class Quantity {
    private static final int LONGEST = 64;
    private static final int LARGEST_EXPONENT = 30;
    private static final Pattern PARTS = Pattern.compile("([0-9]+\\.?[0-9]*|\\.[0-9]+)([^0-9.].*)?", Pattern.DOTALL);
    private static final Pattern EXPONENT = Pattern.compile("[eE][+-]?[0-9]{1,64}");
    private static final BigDecimal TWO = BigDecimal.valueOf(2);
    private static final Map<String, Integer> BINARY =
            Map.of("Ki", 10, "Mi", 20, "Gi", 30, "Ti", 40, "Pi", 50, "Ei", 60);
    private static final Map<String, Integer> DECIMAL =
            Map.of("n", -9, "u", -6, "m", -3, "", 0, "k", 3, "M", 6, "G", 9, "T", 12, "P", 15, "E", 18);

    private Quantity() {}

    /** Reads a text. Empty for one that is no quantity, or negative. */
    static Optional<BigDecimal> of(String text) {
        Matcher parts = PARTS.matcher(text);
        if (text.length() > LONGEST || !parts.matches()) {
            return Optional.empty();
        }
        BigDecimal number = new BigDecimal(parts.group(1));
        String suffix = parts.group(2) == null ? "" : parts.group(2);
        Integer bits = BINARY.get(suffix);
        if (bits != null) {
            return Optional.of(number.multiply(TWO.pow(bits)).stripTrailingZeros());
        }
        OptionalInt power = powerOf(suffix);
        return power.isEmpty()
                ? Optional.empty()
                : Optional.of(number.scaleByPowerOfTen(power.getAsInt()).stripTrailingZeros());
    }

    /** Returns the power of ten of a suffix. Empty for one that no quantity has. */
    private static OptionalInt powerOf(String suffix) {
        Integer power = DECIMAL.get(suffix);
        if (power != null) {
            return OptionalInt.of(power);
        }
        if (!EXPONENT.matcher(suffix).matches()) {
            return OptionalInt.empty();
        }
        BigDecimal exponent = new BigDecimal(suffix.substring(1));
        return exponent.abs().compareTo(BigDecimal.valueOf(LARGEST_EXPONENT)) > 0
                ? OptionalInt.empty()
                : OptionalInt.of(exponent.intValueExact());
    }

    /** Reports whether two texts are the same quantity. No text is as good as zero. */
    static boolean isSame(String a, String b) {
        Optional<BigDecimal> one = of(a.isEmpty() ? "0" : a);
        return one.isPresent() && one.equals(of(b.isEmpty() ? "0" : b));
    }
}
