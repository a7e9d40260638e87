package io.setplan.snapshot;

import io.setplan.rawjson.Raw;
import java.util.List;

/**
 * What a snapshot is made from. The lists may hold objects of other sets and namespaces, in any order.
 *
 * @param set the set
 * @param pods pods
 * @param claims claims
 * @param revisions controller revisions
 * @param otherSets the other sets, which may use the same claim names; the set itself may be among them
 */
public record Objects(Raw set, List<Raw> pods, List<Raw> claims, List<Raw> revisions, List<Raw> otherSets) {}
