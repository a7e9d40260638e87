package io.setplan.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
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

    /** Runs a planner on a free port. */
    static Running planner(String... flags) {
        return plannerAt("127.0.0.1:0", flags);
    }

    /** Runs a planner. */
    static Running plannerAt(String address, String... flags) {
        List<String> command = new ArrayList<>(List.of(PROGRAM, "--listen-address", address));
        command.addAll(List.of(flags));
        StringBuilder log = new StringBuilder();
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher found = LISTENING.matcher(log.append(line).append('\n'));
                if (found.find()) {
                    drain(lines);
                    return new Running(found.group(1), process);
                }
            }
        } catch (IOException e) {
            throw new AssertionError(command + " does not run", e);
        }
        throw new AssertionError("the server ended:\n" + log);
    }

    /** Reads on, since a program whose output is not read stops. */
    private static void drain(BufferedReader lines) {
        Thread reader = new Thread(() -> lines.lines().forEach(line -> {}), "log of a planner");
        reader.setDaemon(true);
        reader.start();
    }
}
