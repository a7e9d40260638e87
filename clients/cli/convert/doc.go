// Package convert says how a set moves from one kind to another without a restart: the new manifest, what is in the way, and the commands.
// It writes nothing.
//
// The order of the commands keeps pods, claims and revisions, whatever is interrupted and however late a cache is:
//
//   - claims lose their owner references to the set before it is deleted, because a garbage collector that has not seen a new reference
//     deletes the claim with the set;
//   - the new set is created with setplan.io/pause: All, so that it touches neither pods nor claims while the old one exists;
//   - the old set is deleted only after the new set's controller has named the revision that the pods have, which shows that it runs and
//     would create the same pods; and only if nobody has changed the old set since the manifest was made;
//   - the pause ends only when no object refers to the old set any more.
//
// If an older API server has stored the revision in another encoding than today's, or revision names have collided, the new set recognizes
// the revision only without an owner, and would otherwise store a second one. Then the old set is deleted first.
//
// The built-in controller knows no pause. So a new set of apps/v1 keeps all claims until one of the last commands.
package convert
