package io.setplan.adapter.verify;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Two templates without the cpu and the memory that may change in place.
 *
 * @param old the pod's
 * @param next the one that it goes to
 * @param changed what of these the second one asks for, and the first one in another quantity
 * @param restarts a container starts anew for it
 */
record Resources(Json old, Json next, Set<Amount> changed, boolean restarts) {
    /**
     * Takes resources out of templates: those of containers, and of sidecars, which have the same place and name in both. What the
     * second one no longer asks for stays where it is, and so does what is no quantity.
     */
    static Resources apartFrom(Json old, Json next) {
        Resources rest = new Resources(old, next, Set.of(), false);
        for (String list : Templates.LISTS) {
            rest = rest.apart(list);
        }
        return rest;
    }

    private Resources apart(String list) {
        List<Json> was = old.get("spec", list).items();
        List<Json> is = next.get("spec", list).items();
        if (was.isEmpty() || was.size() != is.size()) {
            return this;
        }
        Set<Amount> differing = new HashSet<>(changed);
        boolean anew = restarts;
        List<Json> olds = new ArrayList<>();
        List<Json> nexts = new ArrayList<>();
        for (int i = 0; i < was.size(); i++) {
            Json left = was.get(i);
            Json right = is.get(i);
            if (Templates.stays(list, left) && Templates.stays(list, right) && haveSameName(left, right)) {
                Resources rest = ofContainer(left, right);
                differing.addAll(rest.changed);
                anew |= rest.restarts;
                left = rest.old;
                right = rest.next;
            }
            olds.add(left);
            nexts.add(right);
        }
        return new Resources(
                old.with(new Json.Items(olds), "spec", list),
                next.with(new Json.Items(nexts), "spec", list),
                differing,
                anew);
    }

    private static boolean haveSameName(Json old, Json next) {
        String name = next.get("name").string();
        return !name.isEmpty() && old.get("name").is(name);
    }

    /** Does so for one container. */
    private static Resources ofContainer(Json old, Json next) {
        Json left = old;
        Json right = next;
        Set<Amount> differing = new HashSet<>();
        boolean anew = false;
        for (Amount of : Amount.places(next.get("name").string())) {
            Json from = of.asked(old);
            Optional<BigDecimal> had = Quantity.of(Amount.text(from));
            Optional<BigDecimal> wants = Quantity.of(Amount.text(of.asked(next)));
            if (wants.isEmpty() || (had.isEmpty() && !from.isNull())) {
                continue;
            }
            left = without(left, of);
            right = without(right, of);
            if (!had.equals(wants)) {
                differing.add(of);
                anew |= startsAnew(next, of.resource());
            }
        }
        return new Resources(withoutEmpty(left), withoutEmpty(right), differing, anew);
    }

    /** Reports whether a container starts anew where a resource of it changes. */
    private static boolean startsAnew(Json container, String resource) {
        return container.get("resizePolicy").items().stream()
                .anyMatch(policy -> policy.get("resourceName").is(resource)
                        && policy.get("restartPolicy").is("RestartContainer"));
    }

    private static Json without(Json container, Amount of) {
        Json list = container.get("resources", of.list());
        return list.members().containsKey(of.resource())
                ? container.with(list.without(of.resource()), "resources", of.list())
                : container;
    }

    /** Leaves out limits and requests of nothing. */
    private static Json withoutEmpty(Json container) {
        Json rest = container;
        for (String list : Amount.LISTS) {
            Json resources = rest.get("resources");
            if (resources.members().containsKey(list) && asksNothing(resources.get(list))) {
                rest = rest.with(resources.without(list), "resources");
            }
        }
        return rest;
    }

    /** Reports whether a list of amounts asks for nothing. Other controllers may have written nulls into a revision. */
    private static boolean asksNothing(Json amounts) {
        return amounts.isNull()
                || (amounts instanceof Json.Members
                        && amounts.members().values().stream().allMatch(Json::isNothing));
    }
}
