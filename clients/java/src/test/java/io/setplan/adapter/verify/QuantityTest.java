package io.setplan.adapter.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {
    @ParameterizedTest(name = "{3}: {0} and {1}")
    @CsvSource({
        "1Gi, 1024Mi, true, powers of two",
        "1Gi, 1073741824, true, and none",
        "1G, 1Gi, false, powers of ten are others",
        "1G, 1e9, true, an exponent",
        "1E, 1e18, true, E alone is a suffix",
        "1E3, 1k, true, and with digits an exponent",
        "1e+3, 1k, true, which may have a sign",
        "100m, 0.1, true, parts",
        "100m, .1, true, without a zero",
        "1., 1, true, or without a digit behind the point",
        "1e-3, 1m, true, a negative exponent",
        "2.0, 2, true, numbers as JSON has them",
        "0.5Gi, 512Mi, true, parts of powers of two",
        "9007199254740993, 9007199254740992, false, more digits than a double keeps",
        "'', 0, true, nothing is zero",
        "0Ki, 0e7, true, however it is written",
        "'', 1, false, and not more",
        "-1, -1, false, nobody may ask for less than nothing",
        "1e999999999, 1e999999999, false, nobody reads that much",
        "1e99999999999999999999, 1e99999999999999999999, false, nor that",
        "1/2, 0.5, false, no fraction",
        "0x1, 1, false, no other digits",
        "1_0, 10, false, no ornament",
        "1 Gi, 1Gi, false, no blanks",
        "Gi, Gi, false, no number",
        "., ., false, nor here",
        "1.2.3, 1.2.3, false, no two points",
        "1KiB, 1KiB, false, no such suffix",
        "1é, 1é, false, nor this one",
        "1e, 1e, false, no exponent"
    })
    void quantitiesCompareAsNumbers(String a, String b, boolean same, String reason) {
        assertEquals(same, Quantity.isSame(a, b), reason);
    }
}
