package io.setplan.adapter.verify;

import io.setplan.v1.Pod;
import io.setplan.v1.PodPhase;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The proof of a drain, SPEC.md D4: each container of the drain pod is given a token and hands it back when it is done. */
final class Proof {
    private static final String VARIABLE = "SETPLAN_DRAIN_TOKEN";
    private static final int TOKEN_BYTES = 16;

    private Proof() {}

    /** Makes the token of a drain pod with this mark and these claims. */
    static String token(String mark, String claims) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256")
                    .digest((mark + "\n" + claims).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sum, 0, TOKEN_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reports whether a drain pod has succeeded and counts as proof. */
    static boolean hasDrained(Pod pod, Map<String, String> notes, boolean proves) {
        if (pod.getPhase() != PodPhase.POD_PHASE_SUCCEEDED) {
            return false;
        }
        if (!proves) {
            return !pod.getDisrupted();
        }
        String wanted = token(notes.getOrDefault(Names.DRAIN_SET, ""), notes.getOrDefault(Names.DRAIN_CLAIMS, ""));
        return pod.getTerminationMessagesCount() > 0
                && pod.getTerminationMessagesList().stream()
                        .allMatch(message -> message.strip().equals(wanted));
    }

    /** Compares the containers of a drain pod with those of its template, which have no token. */
    static boolean containersDiffer(Json made, Json template, String wanted) {
        if (!(made instanceof Json.Items && template instanceof Json.Items)) {
            return !made.equals(template);
        }
        List<Json> ones = made.items();
        List<Json> others = template.items();
        if (ones.size() != others.size()) {
            return true;
        }
        for (int i = 0; i < ones.size(); i++) {
            Json one = ones.get(i);
            Json of = others.get(i);
            if (!one.differing(of, Set.of("env")).isEmpty() || !hasToken(one.get("env"), of.get("env"), wanted)) {
                return true;
            }
        }
        return false;
    }

    /** Reports whether an environment is the template's with the token at its end. */
    private static boolean hasToken(Json made, Json template, String wanted) {
        List<Json> expected = new ArrayList<>(template.items());
        expected.removeIf(variable -> variable.get("name").is(VARIABLE));
        expected.add(Json.object("name", VARIABLE, "value", wanted));
        return made.equals(new Json.Items(expected));
    }
}
