package io.setplan.testing;

import io.setplan.testing.Servers.Program;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The examples, as programs. */
public final class Examples {
    /** The client's folder. */
    public static final Path HERE = Servers.ROOT.resolve("clients/java");

    private static final String JAVA = ProcessHandle.current().info().command().orElse("java");

    private Examples() {}

    /** Runs an example that the build has compiled, with the libraries that the tests run with. */
    public static Program run(String name, Map<String, String> environment, String... arguments) {
        String libraries = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>(List.of(JAVA, "-cp", libraries, name));
        command.addAll(List.of(arguments));
        return new Program(command, environment);
    }

    /** Runs the page's commands in an empty folder, and waits for a line; the package is made and the planner runs already. */
    public static void readmeSays(Map<String, String> environment, String planner, Pattern line) throws Exception {
        Matcher block = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL).matcher(text("README.md"));
        if (!block.find()) {
            throw new AssertionError("the page has no commands");
        }
        String[] commands = block.group(1).split("\n", 3);
        if (!commands[0].contains("mvn") || !commands[1].contains("setplan-server --listen-address 127.0.0.1:7450")) {
            throw new AssertionError("the page begins with other commands: " + block.group(1));
        }
        Path folder = Files.createTempDirectory("setplan-page");
        Files.createSymbolicLink(folder.resolve("clients"), Servers.ROOT.resolve("clients"));
        String script =
                "cd " + folder + "\n" + commands[2].replace("default web 127.0.0.1:7450", "looked web " + planner);
        try (Program program = new Program(List.of("bash", "-euo", "pipefail", "-c", script), environment)) {
            program.says(line);
        } finally {
            for (File file : folder.toFile().listFiles()) {
                Files.delete(file.toPath());
            }
            Files.delete(folder);
        }
    }

    /** Reads a file of the client. */
    public static String text(String file) throws Exception {
        return Files.readString(HERE.resolve(file));
    }
}
