package io.setplan.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.setplan.rawjson.Raw;
import io.setplan.v1.ClaimNeighbour;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What no vector's objects have. */
class SnapshotsTest {
    private static Raw set(String name, String template) {
        return Raw.parse("""
                {"metadata":{"name":"%s","namespace":"default"},
                 "spec":{"volumeClaimTemplates":[{"metadata":{"name":"%s"}}]}}
                """.formatted(name, template));
    }

    @Test
    void aSetIsNotItsOwnNeighbour() {
        Raw set = set("b", "www-a");
        assertEquals(
                List.of(ClaimNeighbour.newBuilder()
                        .setSet("a-b")
                        .setClaimTemplate("www-a")
                        .build()),
                Membership.neighbours(set, List.of(set, set("a-b", "www"), set("c", "www")), List.of()));
    }

    @Test
    void ownFieldsAreWhatIsBeyondAppsV1() {
        Raw spec = Raw.parse("""
                {"replicas":1,"ordinals":{"start":2,"reserved":[1.0]},"updateStrategy":{"type":"x","rollingUpdate":{"partition":1}},
                 "pause":"All","template":{"spec":{"more":1}}}
                """);
        assertEquals("{\"ordinals\":{\"reserved\":[1.0]},\"pause\":\"All\"}", OwnFields.of(spec));
    }
}
