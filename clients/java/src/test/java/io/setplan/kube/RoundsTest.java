package io.setplan.kube;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.setplan.adapter.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Namespaces take turns. */
class RoundsTest {
    private final Rounds rounds = new Rounds();

    private List<String> taken(Predicate<String> may) {
        List<String> taken = new ArrayList<>();
        for (Optional<Key> key = rounds.take(may); key.isPresent(); key = rounds.take(may)) {
            taken.add(key.get().toString());
        }
        return taken;
    }

    private void add(String namespace, String... names) {
        for (String name : names) {
            rounds.add(new Key(namespace, name));
        }
    }

    @Test
    void namespacesTakeTurnsAndInEachWhoCameFirstIsFirst() {
        add("busy", "a", "b", "c", "d");
        add("other", "x", "y");
        add("busy", "e");
        assertEquals(
                List.of("busy/a", "other/x", "busy/b", "other/y", "busy/c", "busy/d", "busy/e"),
                taken(namespace -> true));
    }

    @Test
    void aNamespaceThatMayNotHaveItKeepsItsTurn() {
        add("busy", "a", "b");
        add("other", "x", "y");
        assertEquals(List.of("other/x", "other/y"), taken("other"::equals));
        add("other", "z");
        assertEquals(List.of("busy/a", "other/z", "busy/b"), taken(namespace -> true));
    }
}
