package io.setplan.adapter.verify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Two templates without the images that may change in place, and those that differ.
 *
 * @param old the pod's
 * @param next the one that it goes to
 * @param containers images that change, by the name of the container
 * @param initContainers the same of sidecars
 */
record Templates(Json old, Json next, Map<String, String> containers, Map<String, String> initContainers) {
    static final String CONTAINERS = "containers";
    static final List<String> LISTS = List.of(CONTAINERS, "initContainers");

    /** Takes images out of templates: those of containers, and of sidecars, which have the same place and name in both. */
    static Templates apartFromImages(Json old, Json next) {
        Map<String, String> containers = new HashMap<>();
        Map<String, String> initContainers = new HashMap<>();
        Json left = old;
        Json right = next;
        for (String list : LISTS) {
            List<Json> was = old.get("spec", list).items();
            List<Json> is = next.get("spec", list).items();
            if (was.isEmpty() || was.size() != is.size()) {
                continue;
            }
            Map<String, String> changed = list.equals(CONTAINERS) ? containers : initContainers;
            List<Json> olds = new ArrayList<>();
            List<Json> nexts = new ArrayList<>();
            for (int i = 0; i < was.size(); i++) {
                boolean mayChange = mayChange(list, was.get(i), is.get(i));
                olds.add(mayChange ? was.get(i).without("image") : was.get(i));
                nexts.add(mayChange ? is.get(i).without("image") : is.get(i));
                if (mayChange && !image(was.get(i)).equals(image(is.get(i)))) {
                    changed.put(is.get(i).get("name").string(), image(is.get(i)));
                }
            }
            left = left.with(new Json.Items(olds), "spec", list);
            right = right.with(new Json.Items(nexts), "spec", list);
        }
        return new Templates(left, right, containers, initContainers);
    }

    /** Reports whether a container is there for as long as its pod: of init containers those that are sidecars. */
    static boolean stays(String list, Json container) {
        return list.equals(CONTAINERS) || container.get("restartPolicy").is("Always");
    }

    private static boolean mayChange(String list, Json was, Json is) {
        return stays(list, was)
                && stays(list, is)
                && was.get("name").is(is.get("name").string())
                && !image(was).isEmpty()
                && !image(is).isEmpty();
    }

    private static String image(Json container) {
        return container.get("image").string();
    }
}
