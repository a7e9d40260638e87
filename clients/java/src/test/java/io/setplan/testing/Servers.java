package io.setplan.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Programs that tests start, and real planners on loopback. */
public final class Servers {
    /** The checkout. */
    public static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    private static final String PROGRAM = Optional.ofNullable(System.getenv("SETPLAN_SERVER"))
            .orElse(ROOT.resolve("bin/setplan-server").toString());
    private static final Pattern LISTENING = Pattern.compile("msg=listening addr=(\\S+)");

    private Servers() {}

    /** A program that says on standard error what a test waits for. */
    public static final class Program implements AutoCloseable {
        public final Process process;
        private final StringBuilder log = new StringBuilder();
        private boolean ended;

        public Program(List<String> command, Map<String, String> environment) {
            try {
                ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
                builder.environment().putAll(environment);
                process = builder.start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            Thread reader = new Thread(this::read, "log of " + command.get(0));
            reader.setDaemon(true);
            reader.start();
        }

        private void read() {
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    add(line);
                }
            } catch (IOException e) {
                add(e.toString());
            }
            synchronized (log) {
                ended = true;
                log.notifyAll();
            }
        }

        private void add(String line) {
            synchronized (log) {
                log.append(line).append('\n');
                log.notifyAll();
            }
        }

        /** Waits for a line. */
        public Matcher says(Pattern line) throws InterruptedException {
            synchronized (log) {
                while (true) {
                    Matcher found = line.matcher(log);
                    if (found.find()) {
                        return found;
                    }
                    if (ended) {
                        throw new AssertionError("the program ended:\n" + log);
                    }
                    log.wait();
                }
            }
        }

        public String log() {
            synchronized (log) {
                return log.toString();
            }
        }

        /** Kills it, and waits for its end. */
        public void kill() {
            process.destroyForcibly();
            process.onExit().join();
        }

        @Override
        public void close() {
            kill();
        }
    }

    /** A planner that runs. */
    public record Planner(String address, Program program) implements AutoCloseable {
        @Override
        public void close() {
            program.close();
        }
    }

    /** Runs a planner on a free port. */
    public static Planner planner(String... flags) throws InterruptedException {
        return plannerAt("127.0.0.1:0", flags);
    }

    /** Runs a planner. */
    public static Planner plannerAt(String address, String... flags) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(PROGRAM, "--listen-address", address));
        command.addAll(Arrays.asList(flags));
        Program program = new Program(command, Map.of());
        return new Planner(program.says(LISTENING).group(1), program);
    }
}
