package io.setplan.kube;

import io.setplan.adapter.Key;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Sets that wait. Namespaces take turns, so that only a namespace with a thousand sets waits for a thousand; within a namespace, who came
 * first is first. It is not safe for several threads.
 */
final class Rounds {
    /** The namespace whose turn is next first. */
    private final Map<String, Deque<Key>> waiting = new LinkedHashMap<>();

    void add(Key key) {
        waiting.computeIfAbsent(key.namespace(), namespace -> new ArrayDeque<>())
                .add(key);
    }

    /** Takes the next set of a namespace that may have a turn, which then is the last; empty where there is none. */
    Optional<Key> take(Predicate<String> may) {
        Optional<String> next = waiting.keySet().stream().filter(may).findFirst();
        return next.map(this::first);
    }

    private Key first(String namespace) {
        Deque<Key> keys = Objects.requireNonNull(waiting.remove(namespace));
        Key key = keys.remove();
        if (!keys.isEmpty()) {
            waiting.put(namespace, keys);
        }
        return key;
    }
}
