package io.setplan.adapter.verify;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What is noted of the resources of a pod that is under way.
 *
 * @param had what containers had; an empty text is nothing
 * @param isRight it is that and nothing else, in its form
 */
record Recorded(Map<Amount, String> had, boolean isRight) {
    static Recorded in(Json record) {
        Map<Amount, String> had = new HashMap<>();
        Json containers = record.members().get("resize");
        if (containers == null) {
            return new Recorded(had, true);
        }
        boolean isRight = !containers.members().isEmpty();
        for (Map.Entry<String, Json> container : containers.members().entrySet()) {
            Json lists = container.getValue();
            isRight &= hasOnly(lists, Set.copyOf(Amount.LISTS));
            for (Json list : lists.members().values()) {
                isRight &= hasOnly(list, Set.copyOf(Amount.RESOURCES));
            }
            for (Amount of : Amount.places(container.getKey())) {
                Json quantity = lists.get(of.list()).members().get(of.resource());
                if (quantity != null) {
                    isRight &= quantity instanceof Json.Text;
                    had.put(of, quantity.string());
                }
            }
        }
        return new Recorded(had, isRight);
    }

    private static boolean hasOnly(Json object, Set<String> keys) {
        return !object.members().isEmpty()
                && object.differing(Json.Word.NULL, keys).isEmpty();
    }
}
