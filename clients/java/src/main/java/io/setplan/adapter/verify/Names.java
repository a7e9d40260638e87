package io.setplan.adapter.verify;

import java.util.Arrays;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names, labels and annotations that a plan may use. */
final class Names {
    static final String POD = "Pod";
    static final String CLAIM = "PersistentVolumeClaim";
    static final String REVISION = "ControllerRevision";

    static final String LABEL_POD_NAME = "statefulset.kubernetes.io/pod-name";
    static final String LABEL_POD_INDEX = "apps.kubernetes.io/pod-index";
    static final String LABEL_REVISION = "controller-revision-hash";
    static final String LABEL_HASH = "controller.kubernetes.io/hash";

    static final String DRAIN_SET = "setplan.io/drain-set";
    static final String DRAIN_CLAIMS = "setplan.io/drain-claims";
    static final String DRAIN_ATTEMPTS = "setplan.io/drain-attempts";
    static final String DRAIN_BEGUN = "setplan.io/drain-begun";
    static final String DRAIN_REQUEST = "setplan.io/drain-request";
    static final String DRAIN_ANSWER = "setplan.io/drain-answer";

    static final String CLAIM_TEMPLATES = "setplan.io/claim-templates";
    static final String CLAIM_POLICY = "setplan.io/claim-update-policy";
    static final String CLAIM_REQUEST = "setplan.io/claim-request";
    static final String CLAIM_CHANGED = "setplan.io/claim-changed";
    static final String CLAIM_METADATA = "setplan.io/claim-metadata";

    static final String IN_PLACE = "setplan.io/in-place";
    static final String UPDATE = "setplan.io/in-place-update";

    static final String FINALIZER = "setplan.io/drain";

    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?");
    private static final Pattern ORDINAL = Pattern.compile("0|[1-9][0-9]{0,9}");
    private static final Pattern DIGITS = Pattern.compile("[0-9]+");
    private static final Pattern LAST_DIGITS = Pattern.compile("[0-9]*$");
    private static final int MAX_NAME = 253;

    private Names() {}

    /** Reports whether a text is a DNS subdomain, so that it can be nothing but a name in a path. */
    static boolean isName(String text) {
        return text.length() <= MAX_NAME
                && Arrays.stream(text.split("\\.", -1))
                        .allMatch(label -> LABEL.matcher(label).matches());
    }

    /** Reads the ordinal of {@code <base>-<ordinal>}, written as a set writes it. */
    static OptionalInt ordinalIn(String name, String base) {
        String digits = after(name, base);
        if (!ORDINAL.matcher(digits).matches() || Long.parseLong(digits) > Integer.MAX_VALUE) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(Integer.parseInt(digits));
    }

    /** Reports whether a pod has a name that the set could have given, leading zeros included. */
    static boolean isMember(String name, String base) {
        return DIGITS.matcher(after(name, base)).matches();
    }

    /** Reports whether a pod's name is the set's with this ordinal, leading zeros included. */
    static boolean isMemberAt(String name, String base, int ordinal) {
        return isMember(name, base) && sameOrdinal(after(name, base), ordinal);
    }

    /** Returns the digits at the end of a name. */
    static String trailingDigits(String name) {
        Matcher digits = LAST_DIGITS.matcher(name);
        return digits.find() ? digits.group() : "";
    }

    /** Compares digits with an ordinal; leading zeros do not count. */
    static boolean sameOrdinal(String digits, int ordinal) {
        if (digits.isEmpty()) {
            return false;
        }
        String significant = digits.replaceFirst("^0+", "");
        return (significant.isEmpty() ? "0" : significant).equals(Integer.toString(ordinal));
    }

    /** Returns what follows {@code <base>-} in a name; empty if nothing does, or the name begins otherwise. */
    private static String after(String name, String base) {
        String prefix = base + "-";
        return name.startsWith(prefix) ? name.substring(prefix.length()) : "";
    }
}
