package io.setplan.adapter;

import io.setplan.v1.ClaimNeighbour;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the fence compares (SPEC.md, A4).
 *
 * @param uid the set's uid
 * @param generation the set's generation
 * @param policy {@link #policyOf} its annotations, which move no generation
 * @param deleting the set is being deleted
 * @param neighbours {@link #neighboursOf} the snapshot that would be made now; not of the live set
 */
public record SetIdentity(String uid, long generation, String policy, boolean deleting, String neighbours) {
    /**
     * Names what a set's annotations ask for, so that the fence can tell that a policy was changed while the planner thought.
     *
     * <p>Every annotation under a prefix that the planner may read counts, those of a later release too. Empty: there is none.
     *
     * @param annotations all annotations of the set
     * @return a text that differs where what is asked for differs
     */
    public static String policyOf(Map<String, String> annotations) {
        Map<String, String> own = new TreeMap<>(annotations);
        own.keySet().removeIf(key -> !key.startsWith("setplan.io/") && !key.startsWith("statefulsets.kubernetes.io/"));
        return own.isEmpty() ? "" : digest(own);
    }

    private static String digest(Map<String, String> own) {
        try {
            MessageDigest sum = MessageDigest.getInstance("SHA-256");
            own.forEach((key, text) -> {
                for (String part : List.of(key, text)) {
                    byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
                    sum.update((bytes.length + " ").getBytes(StandardCharsets.US_ASCII));
                    sum.update(bytes);
                }
            });
            return HexFormat.of().formatHex(sum.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Puts claim neighbours into one text, so that the fence can tell that there is another set since the planner was asked (D6).
     *
     * @param neighbours the neighbours of a snapshot
     * @return the text
     */
    public static String neighboursOf(List<ClaimNeighbour> neighbours) {
        return neighbours.stream()
                .map(one -> one.getSet() + " " + one.getClaimTemplate())
                .sorted()
                .collect(Collectors.joining(", "));
    }
}
