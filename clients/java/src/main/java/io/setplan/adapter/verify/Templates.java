package io.setplan.adapter.verify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
    private static final String CONTAINERS = "containers";
    private static final String INIT_CONTAINERS = "initContainers";

    /** Takes images out of templates: those of containers, and of sidecars, which have the same place and name in both. */
    static Templates apartFromImages(Json old, Json next) {
        Map<String, String> containers = new HashMap<>();
        Map<String, String> initContainers = new HashMap<>();
        Json left = old;
        Json right = next;
        for (String list : List.of(CONTAINERS, INIT_CONTAINERS)) {
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
                olds.add(mayChange ? imageless(was.get(i)) : was.get(i));
                nexts.add(mayChange ? imageless(is.get(i)) : is.get(i));
                if (mayChange && !image(was.get(i)).equals(image(is.get(i)))) {
                    changed.put(is.get(i).get("name").string(), image(is.get(i)));
                }
            }
            left = with(left, list, olds);
            right = with(right, list, nexts);
        }
        return new Templates(left, right, containers, initContainers);
    }

    private static boolean mayChange(String list, Json was, Json is) {
        boolean sidecars =
                was.get("restartPolicy").is("Always") && is.get("restartPolicy").is("Always");
        return (list.equals(CONTAINERS) || sidecars)
                && was.get("name").is(is.get("name").string())
                && !image(was).isEmpty()
                && !image(is).isEmpty();
    }

    private static String image(Json container) {
        return container.get("image").string();
    }

    private static Json imageless(Json container) {
        Map<String, Json> members = new LinkedHashMap<>(container.members());
        members.remove("image");
        return new Json.Members(members);
    }

    private static Json with(Json template, String list, List<Json> containers) {
        Map<String, Json> spec = new LinkedHashMap<>(template.get("spec").members());
        spec.put(list, new Json.Items(containers));
        Map<String, Json> members = new LinkedHashMap<>(template.members());
        members.put("spec", new Json.Members(spec));
        return new Json.Members(members);
    }
}
