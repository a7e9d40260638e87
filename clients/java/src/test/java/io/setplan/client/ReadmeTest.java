package io.setplan.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.setplan.testing.Examples;
import io.setplan.testing.Fake;
import io.setplan.testing.Servers;
import io.setplan.testing.Servers.Planner;
import io.setplan.testing.Servers.Program;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page shows the examples as they are, and they run. */
class ReadmeTest {
    @Test
    void thePageHasTheExamples() throws Exception {
        Matcher blocks = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(Examples.text("README.md"));
        assertEquals(
                List.of(Examples.text("examples/Look.java"), Examples.text("examples/Errors.java")),
                blocks.results().map(block -> block.group(1)).toList());
    }

    @Test
    void thePageHasTheVersions() throws Exception {
        String page = Examples.text("README.md");
        Matcher versions = Pattern.compile("<(?:grpc|protobuf|fabric8|grpc\\.generator)\\.version>([0-9.]+)<")
                .matcher(Examples.text("pom.xml"));
        assertTrue(versions.results().map(found -> found.group(1)).allMatch(page::contains));
    }

    @Test
    void theExamplesAreAsShortAsThePageSays() throws Exception {
        assertTrue(Examples.text("examples/Controller.java").lines().count() <= 150);
        assertTrue(Examples.text("examples/Look.java").lines().count() <= 30);
    }

    @Test
    void errors() throws Exception {
        try (Planner real = Servers.planner();
                Program program = Examples.run("Errors", Map.of(), real.address())) {
            program.says(Pattern.compile("^mend the request: snapshot$", Pattern.MULTILINE));
        }
        try (Fake broken = new Fake(call -> {
                    throw Status.INTERNAL.withDescription("a bug").asRuntimeException();
                });
                Program program = Examples.run("Errors", Map.of(), broken.address())) {
            program.says(Pattern.compile("^no plan, so change nothing: INTERNAL: a bug$", Pattern.MULTILINE));
        }
    }
}
