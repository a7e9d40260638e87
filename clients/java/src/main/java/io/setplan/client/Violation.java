package io.setplan.client;

/**
 * One mistake in a request.
 *
 * @param field the path of the field, such as {@code snapshot.pods[3].uid}
 * @param description what is wrong with it
 */
public record Violation(String field, String description) {}
