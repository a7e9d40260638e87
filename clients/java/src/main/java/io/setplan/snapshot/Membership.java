package io.setplan.snapshot;

import io.setplan.adapter.verify.Additions;
import io.setplan.rawjson.Raw;
import io.setplan.v1.ClaimNeighbour;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Which objects are in a snapshot. */
public final class Membership {
    private static final String CLAIM_TEMPLATES = "setplan.io/claim-templates";
    // How many characters of a set's name the name of a revision has.
    private static final int REVISION_BASE = 223;
    private static final Pattern NAME = Pattern.compile("(.+)-([0-9]+)", Pattern.DOTALL);
    private static final int MOST_DIGITS = 18;

    private static final Comparator<Raw> BY_NAME = Comparator.comparing(Fields::name);
    private static final Comparator<Raw> BY_ORDINAL = Comparator.<Raw>comparingLong(
                    thing -> ordinalOf(Fields.name(thing)).map(Member::ordinal).orElse(Long.MAX_VALUE))
            .thenComparing(BY_NAME);

    private Membership() {}

    /**
     * A name such as {@code web-3}.
     *
     * @param base {@code web}
     * @param ordinal 3; {@link Long#MAX_VALUE} for one that has more digits than a long
     */
    public record Member(String base, long ordinal) {}

    /**
     * Splits {@code web-3} into {@code web} and 3; empty for names of another form.
     *
     * <p>It does not ask whether the set would use ordinal 3: the planner tells members from strangers.
     *
     * @param name the name of an object
     * @return its parts
     */
    public static Optional<Member> ordinalOf(String name) {
        Matcher match = NAME.matcher(name);
        if (!match.matches()) {
            return Optional.empty();
        }
        String digits = match.group(2);
        long ordinal = digits.length() > MOST_DIGITS ? Long.MAX_VALUE : Long.parseLong(digits);
        return Optional.of(new Member(match.group(1), ordinal));
    }

    /**
     * {@return whether the set is the controller of an object}
     *
     * @param set the set
     * @param thing the object
     */
    public static boolean controls(Raw set, Raw thing) {
        String uid = Fields.uid(set);
        return Fields.owners(thing).stream()
                .anyMatch(owner ->
                        owner.isTrue("controller") && owner.string("uid").equals(uid));
    }

    /**
     * {@return the names of the claim templates, each once: the set's own, and after them those that its annotation adds (A25)}
     *
     * @param set the set
     */
    public static List<String> claimTemplates(Raw set) {
        return claimTemplates(set, List.of());
    }

    /** Lists the set's own claim templates, in order, and after them what it or one of its revisions adds (A25), sorted. */
    private static List<String> claimTemplates(Raw set, List<Raw> revisions) {
        Set<String> names = new LinkedHashSet<>();
        set.list("spec", "volumeClaimTemplates").stream()
                .map(Fields::name)
                .filter(name -> !name.isEmpty())
                .forEach(names::add);
        Set<String> added = new TreeSet<>(Additions.asked(set.string("metadata", "annotations", CLAIM_TEMPLATES)));
        for (Raw revision : revisions) {
            Raw data = revision.get("data");
            added.addAll(data == null ? Set.of() : Additions.stored(data.text()));
        }
        names.addAll(added);
        return List.copyOf(names);
    }

    /**
     * {@return the other sets that use the same claim names} An adapter needs them for its fence, too (D6).
     *
     * @param set the set
     * @param others the other sets
     * @param candidates revisions, of which those count that the set has
     */
    public static List<ClaimNeighbour> neighbours(Raw set, List<Raw> others, List<Raw> candidates) {
        Map<String, String> ours = new HashMap<>();
        claimTemplates(set, revisions(set, candidates))
                .forEach(template -> ours.put(template + "-" + Fields.name(set), template));
        List<ClaimNeighbour> found = new ArrayList<>();
        for (Raw other : here(set, others).sorted(BY_NAME).toList()) {
            String name = Fields.name(other);
            if (name.equals(Fields.name(set))) {
                continue;
            }
            for (String theirs : claimTemplates(other)) {
                String template = ours.get(theirs + "-" + name);
                if (template != null) {
                    found.add(ClaimNeighbour.newBuilder()
                            .setSet(name)
                            .setClaimTemplate(template)
                            .build());
                }
            }
        }
        return found;
    }

    /** Lists the pods that the set controls or might want by name, by ordinal. */
    static List<Raw> pods(Raw set, List<Raw> candidates) {
        return here(set, candidates)
                .filter(pod -> base(pod).equals(Fields.name(set)) || controls(set, pod))
                .sorted(BY_ORDINAL)
                .toList();
    }

    /** Lists the claims with names of the set's claims. */
    static List<Raw> claims(Raw set, List<Raw> candidates, List<Raw> revisions) {
        Set<String> wanted = new HashSet<>();
        claimTemplates(set, revisions(set, revisions))
                .forEach(template -> wanted.add(template + "-" + Fields.name(set)));
        return here(set, candidates)
                .filter(claim -> wanted.contains(base(claim)))
                .sorted(BY_ORDINAL)
                .toList();
    }

    /** Lists the revisions that the set controls, that nobody controls, or that the set might want by name, by name. */
    static List<Raw> revisions(Raw set, List<Raw> candidates) {
        String name = Fields.name(set);
        String prefix = name.substring(0, Math.min(name.length(), REVISION_BASE)) + "-";
        return here(set, candidates)
                .filter(revision -> controls(set, revision)
                        || Fields.owners(revision).stream().noneMatch(owner -> owner.isTrue("controller"))
                        || Fields.name(revision).startsWith(prefix))
                .sorted(BY_NAME)
                .toList();
    }

    private static Stream<Raw> here(Raw set, List<Raw> candidates) {
        String namespace = set.string("metadata", "namespace");
        return candidates.stream()
                .filter(thing -> thing.string("metadata", "namespace").equals(namespace));
    }

    /** Empty, which no set is called, for names of another form. */
    private static String base(Raw thing) {
        return ordinalOf(Fields.name(thing)).map(Member::base).orElse("");
    }
}
