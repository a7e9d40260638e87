package io.setplan.adapter.verify;

import io.setplan.v1.Container;
import io.setplan.v1.ContainerResize;
import io.setplan.v1.ContainerResources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The place of a quantity in a pod.
 *
 * @param container the name of the container
 * @param list limits or requests
 * @param resource the name of the resource
 */
record Amount(String container, String list, String resource) {
    static final String LIMITS = "limits";
    static final String REQUESTS = "requests";
    static final List<String> LISTS = List.of(LIMITS, REQUESTS);
    static final List<String> RESOURCES = List.of("cpu", "memory");

    /** Lists the places of a container's quantities that may change. */
    static List<Amount> places(String container) {
        return LISTS.stream()
                .flatMap(list -> RESOURCES.stream().map(resource -> new Amount(container, list, resource)))
                .toList();
    }

    /** Lists the quantities that a resize sets of a container. */
    static Map<Amount, String> of(ContainerResize resize) {
        Map<Amount, String> amounts = new HashMap<>();
        resize.getLimitsMap()
                .forEach((name, quantity) -> amounts.put(new Amount(resize.getName(), LIMITS, name), quantity));
        resize.getRequestsMap()
                .forEach((name, quantity) -> amounts.put(new Amount(resize.getName(), REQUESTS, name), quantity));
        return amounts;
    }

    /** The text of a quantity in a template, which may be a number; empty for anything else. */
    static String text(Json quantity) {
        return quantity instanceof Json.Numeral number ? number.text() : quantity.string();
    }

    String words() {
        return "the %s of %s of the container %s".formatted(list, resource, Json.quote(container));
    }

    /** What the spec of a pod's container has; empty: nothing. */
    String shown(Container of) {
        ContainerResources resources = of.getResources();
        return list.equals(LIMITS)
                ? resources.getLimitsOrDefault(resource, "")
                : resources.getRequestsOrDefault(resource, "");
    }

    /** What a container of a template asks for; null: nothing. A request that it does not have is its limit. */
    Json asked(Json of) {
        Json own = of.get("resources", list, resource);
        return own.isNull() && list.equals(REQUESTS) ? of.get("resources", LIMITS, resource) : own;
    }

    /** What a template asks for in a container that stays; null: nothing, or it has no such container. */
    Json askedIn(Json template) {
        for (String containers : Templates.LISTS) {
            for (Json one : template.get("spec", containers).items()) {
                if (one.get("name").is(container) && Templates.stays(containers, one)) {
                    return asked(one);
                }
            }
        }
        return Json.Word.NULL;
    }
}
