// Package engine decides what should happen to one set: Decide turns a snapshot into a plan.
//
// It is a pure function. It imports the standard library only, has no clock (Snapshot.ObservedAt is the time), no
// randomness, no logging, and its output does not depend on the order of the input lists. A test in deploy/walls
// keeps it so.
//
// The reference is the controller of Kubernetes 1.36.3 (k8s.io/kubernetes, pkg/controller/statefulset, called
// "upstream" here). Where the SETPLAN preset departs from it, a field of Rules says so, and docs/rules.md has a row.
//
// # How a plan is made
//
// One pass, in the order in which a set is brought about; each step has a file of its own:
//
//	classify.go    which pod is what: replica, condemned, orphan, stranger
//	ownership.go   adopt what matches and nobody controls, release what matches no longer
//	revision.go    which revision the template is, and which one pods below the partition have
//	replicas.go    every ordinal of the range, ascending: replace, create, repair
//	condemned.go   every pod outside the range, descending: hand over claims, delete
//	drain.go       their data, where a policy asks for it: drain pods, then their claims
//	update.go      outdated pods, descending, within the partition and the budget
//	status.go      the counters
//	history.go     old revisions
//	requeue.go     when to look again
package engine
