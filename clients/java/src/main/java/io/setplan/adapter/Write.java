package io.setplan.adapter;

/**
 * A finished write, which the caches must show before the next snapshot (SPEC.md, A3).
 *
 * @param kind the object's kind
 * @param name the object's name
 * @param uid the object's uid
 * @param resourceVersion what the API answered; empty for a delete
 * @param deleted a delete: shown once the object is terminating, gone, or has another uid
 */
public record Write(String kind, String name, String uid, String resourceVersion, boolean deleted) {}
