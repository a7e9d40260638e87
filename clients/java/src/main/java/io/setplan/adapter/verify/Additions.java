package io.setplan.adapter.verify;

import com.google.protobuf.ByteString;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What is said of claim templates that a set adds. */
public final class Additions {
    private static final String PLAIN = "{\"spec\":";

    private Additions() {}

    /**
     * {@return the names that the annotation claim-templates of a set has and that are not removed}
     *
     * @param annotation its text, JSON or YAML
     */
    public static Set<String> asked(String annotation) {
        return annotation.isEmpty() ? Set.of() : names(Policy.template(ByteString.copyFromUtf8(annotation), true));
    }

    /**
     * {@return the names that a revision has under that key and that are not removed}
     *
     * @param data its data
     */
    public static Set<String> stored(String data) {
        if (data.isEmpty() || data.startsWith(PLAIN)) {
            return Set.of();
        }
        return names(Policy.template(ByteString.copyFromUtf8(data), false).get(Names.CLAIM_TEMPLATES));
    }

    private static Set<String> names(Json said) {
        Set<String> names = new HashSet<>();
        for (Map.Entry<String, Json> one : said.members().entrySet()) {
            if (!one.getValue().isNull()) {
                names.add(one.getKey());
            }
        }
        return names;
    }
}
