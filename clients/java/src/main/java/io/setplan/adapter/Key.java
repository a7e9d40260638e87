package io.setplan.adapter;

/**
 * Names a set in a cluster.
 *
 * @param namespace its namespace
 * @param name its name
 */
public record Key(String namespace, String name) {
    /** {@code namespace/name}. */
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
