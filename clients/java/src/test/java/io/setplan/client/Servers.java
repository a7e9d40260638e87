package io.setplan.client;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Real planners on loopback. */
final class Servers {
    /** The checkout. */
    static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    private static final String PROGRAM = Optional.ofNullable(System.getenv("SETPLAN_SERVER"))
            .orElse(ROOT.resolve("bin/setplan-server").toString());
    private static final Pattern LISTENING = Pattern.compile("msg=listening addr=(\\S+)");

    private Servers() {}

    /** A planner that runs. */
    record Running(String address, Process process) implements AutoCloseable {
        /** Kills it, and waits for its end. */
        @Override
        public void close() {
            process.destroyForcibly();
            process.onExit().join();
        }
    }

    /** Runs a planner; on a free port, unless the flags name one. */
    static Running planner(String... flags) {
        List<String> command = new ArrayList<>(List.of(PROGRAM, "--listen-address=127.0.0.1:0"));
        command.addAll(List.of(flags));
        try {
            Path log = Files.createTempFile("planner", ".log");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            Matcher listening = LISTENING.matcher("");
            while (!listening.reset(Files.readString(log)).find()) {
                assertTrue(process.isAlive(), "the planner ended: " + Files.readString(log));
                Thread.sleep(20);
            }
            return new Running(listening.group(1), process);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(command + " does not run", e);
        }
    }
}
