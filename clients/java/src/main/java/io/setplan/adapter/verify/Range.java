package io.setplan.adapter.verify;

import io.setplan.rawjson.Raw;
import io.setplan.v1.Scope;
import io.setplan.v1.Snapshot;
import io.setplan.v1.StatefulSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The range of a set: the first {@code replicas} unreserved ordinals from the start. */
final class Range {
    private static final Pattern ITEM = Pattern.compile("([0-9]{1,10})(?:-([0-9]{1,10}))?");
    private static final String AROUND = " \t\r\n[]\"";

    private final long start;
    private final long replicas;
    private final List<Span> spans;

    /** Reserved ordinals, both ends included; {@code held} is how many are reserved from the start to here, these included. */
    private record Span(long first, long last, long held) {}

    Range(Snapshot snapshot) {
        StatefulSet set = snapshot.getSet();
        this.start = set.getOrdinalsStart();
        this.replicas = set.hasReplicas() ? set.getReplicas() : 1;
        // Another controller that runs the set knows no reserved ordinals.
        boolean alone = snapshot.getPolicy().getScopeValue() > Scope.SCOPE_WHOLE_SET_VALUE;
        this.spans = alone ? List.of() : spans(text(set), start);
    }

    boolean has(int ordinal) {
        int next = from(ordinal);
        if (ordinal < start || (next < spans.size() && spans.get(next).first <= ordinal)) {
            return false;
        }
        long held = next == 0 ? 0 : spans.get(next - 1).held;
        return ordinal - start - held < replicas;
    }

    /** Returns the first span that does not end before an ordinal. A user may write tens of thousands, and a plan has a thousand actions. */
    private int from(int ordinal) {
        int low = 0;
        int high = spans.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (spans.get(middle).last < ordinal) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns the annotation, or the field of the same meaning. Where they differ nothing is planned. */
    private static String text(StatefulSet set) {
        String note = set.getAnnotationsOrDefault("setplan.io/reserved-ordinals", "");
        if (set.getOwnFields().isEmpty()) {
            return note;
        }
        try {
            Raw own = Raw.parse(set.getOwnFields().toByteArray()).get("ordinals", "reserved");
            return own == null || own.text().replaceAll("\\s", "").equals("[]") ? note : own.text();
        } catch (IllegalArgumentException e) {
            return note;
        }
    }

    /**
     * Reads the text into spans from the start on, in ascending order, which do not touch. If the planner cannot read the text
     * it plans nothing, so the result here does not matter then.
     */
    private static List<Span> spans(String text, long start) {
        List<Span> joined = new ArrayList<>();
        for (Span span : written(text, start)) {
            Span before = joined.isEmpty() ? null : joined.get(joined.size() - 1);
            if (before != null && span.first <= before.last + 1) {
                joined.set(joined.size() - 1, new Span(before.first, Math.max(before.last, span.last), 0));
            } else {
                joined.add(span);
            }
        }
        long held = 0;
        for (int i = 0; i < joined.size(); i++) {
            Span span = joined.get(i);
            held += span.last + 1 - span.first;
            joined.set(i, new Span(span.first, span.last, held));
        }
        return joined;
    }

    /** Takes off what may stand around an item. A pattern would look at each of many blanks from each of them. */
    private static String stripped(String item) {
        int begin = 0;
        int end = item.length();
        while (begin < end && AROUND.indexOf(item.charAt(begin)) >= 0) {
            begin++;
        }
        while (begin < end && AROUND.indexOf(item.charAt(end - 1)) >= 0) {
            end--;
        }
        return item.substring(begin, end);
    }

    private static List<Span> written(String text, long start) {
        List<Span> found = new ArrayList<>();
        for (String item : text.split(",", -1)) {
            Matcher match = ITEM.matcher(stripped(item));
            if (!match.matches()) {
                continue;
            }
            long from = Long.parseLong(match.group(1));
            long to = match.group(2) == null ? from : Long.parseLong(match.group(2));
            if (to <= Integer.MAX_VALUE && from <= to && start <= to) {
                found.add(new Span(Math.max(from, start), to, 0));
            }
        }
        found.sort(Comparator.comparingLong(Span::first));
        return found;
    }
}
