package io.setplan.client;

import static org.junit.jupiter.api.Assertions.*;

import io.setplan.client.Servers.Running;
import java.nio.file.*;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page shows the examples as they are, and its commands run in an empty folder, with what kubectl has printed. */
class PageTest {
    private static final Path HERE = Servers.ROOT.resolve("clients/java");

    @TempDir
    Path folder;

    private static List<String> blocks(String language) throws Exception {
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(HERE.resolve("README.md")))
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    @Test
    void thePageHasTheExamples() throws Exception {
        String why = Files.readString(HERE.resolve("examples/Why.java"));
        assertEquals(List.of(why, Files.readString(HERE.resolve("examples/Restarts.java"))), blocks("java"));
    }

    @Test
    void why() throws Exception {
        Vector web = Vector.read("stuck/web.json");
        String said = run(blocks("sh").get(0), "web", web.documents(), "");
        assertTrue(said.startsWith("0: web-1: The pod is being deleted; the set waits until it is gone."), said);
    }

    @Test
    void restarts() throws Exception {
        List<String> objects = Vector.read("corpus/plain-1.34.json").documents();
        String commands = blocks("sh").get(1);
        assertEquals("0: FORECAST_VERDICT_CONVERGED\n", run(commands, "plain", objects, objects.get(0)));
        String edited = objects.get(0)
                .replace("\"generation\":1,", "\"generation\":2,")
                .replaceFirst("\"image\":\"[^\"]*\"", "\"image\":\"example.com/other:2\"");
        String said = run(commands, "plain", objects, edited);
        assertTrue(said.startsWith("1: plain-1 restarts: "), said);
    }

    /** Runs commands of the page about a set, with a kubectl that prints these objects, and this set after a dry run. */
    private String run(String commands, String set, List<String> objects, String edited) throws Exception {
        Path kubectl = Files.createDirectories(folder.resolve("tools")).resolve("kubectl");
        Files.writeString(kubectl, "#!/bin/sh\ncat \"$(dirname \"$0\")/$1\"\n");
        assertTrue(kubectl.toFile().setExecutable(true));
        String items = String.join(",", objects);
        Files.writeString(
                kubectl.resolveSibling("get"), "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[" + items + "]}");
        Files.writeString(kubectl.resolveSibling("apply"), edited);
        Path empty = Files.createTempDirectory(folder, "empty");
        Files.createSymbolicLink(empty.resolve("clients"), Servers.ROOT.resolve("clients"));
        // The first block makes the package and starts a planner, which are there already.
        List<String> first = blocks("sh").get(0).lines().toList();
        assertTrue(first.get(0).contains("mvn") && first.get(1).startsWith("bin/setplan-server"), first.toString());
        String script = (first.get(2) + "\n" + commands)
                .replaceAll("(?m)^(\\(cd clients/java|bin/setplan-server).*$", "")
                .replace(" web 127.0.0.1:7450", " " + set + " $PLANNER");
        ProcessBuilder shell = new ProcessBuilder("bash", "-euo", "pipefail", "-c", script);
        try (Running planner = Servers.planner()) {
            shell.environment().put("PATH", kubectl.getParent() + ":" + System.getenv("PATH"));
            shell.environment().put("PLANNER", planner.address());
            Process process =
                    shell.directory(empty.toFile()).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes());
            return process.waitFor() + ": " + said;
        }
    }
}
