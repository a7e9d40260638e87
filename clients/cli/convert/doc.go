// Package convert says how a set moves from one kind to another without a restart: the manifest of the other kind, what is in the way,
// and the commands. It writes nothing.
//
// The order of the commands is what keeps pods, claims and revisions, whatever is interrupted and however late a cache is:
//
//   - claims lose their owner references before the set is deleted, so that a garbage collector that has not seen a new one cannot
//     take the claim along;
//   - the new set is made with setplan.io/pause: All, so that it touches neither pods nor claims beside the old one;
//   - the old set is deleted only once the controller of the new one has named the revision that the pods have: it runs, and would make
//     the same pods; and only if nobody has changed the old set since the manifest was made;
//   - the pause ends only once no object refers to the old set any more.
//
// Where the stored revision is of an older API server and not what the template is encoded as today, or its name has the count of
// collisions in it, the new set must find it without an owner, or it would store a second one: the old set is deleted first then.
//
// The built-in controller knows no pause. A new set of apps/v1 keeps all claims until the last command.
package convert
