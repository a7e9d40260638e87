package io.setplan.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A real control plane on this machine, without containers, whose built-in StatefulSet controller is off: bin/setplan-local, which {@code make
 * build-local} builds.
 */
public final class Cluster {
    private static final Path BIN = Servers.ROOT.resolve("bin");

    private final String name = "java-" + ProcessHandle.current().pid();
    private final Path kubeconfig;

    public Cluster() throws Exception {
        String told = run("", local("up", "--statefulset-controller", "off")).strip();
        kubeconfig = Path.of(told.substring(told.lastIndexOf(' ') + 1).strip());
    }

    public Path kubeconfig() {
        return kubeconfig;
    }

    /** Ends it, and removes its files. */
    public void down() throws Exception {
        run("", local("down"));
    }

    /** Runs kubectl with these words, and returns what it prints. */
    public String kubectl(String input, String words) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(BIN.resolve("kubectl").toString(), "--kubeconfig", kubeconfig.toString()));
        command.addAll(List.of(words.split(" ")));
        return run(input, command);
    }

    public String kubectl(String words) throws Exception {
        return kubectl("", words);
    }

    private List<String> local(String... words) {
        List<String> command =
                new ArrayList<>(List.of(BIN.resolve("setplan-local").toString()));
        command.addAll(List.of(words));
        command.addAll(List.of("--name", name));
        return command;
    }

    private static String run(String input, List<String> command) throws Exception {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command + ": " + said);
        }
        return said;
    }
}
