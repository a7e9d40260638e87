// Package verify checks every action of a plan against the snapshot of the request, before the action is sent. A planner may be far
// away and serve many clusters, so its answer is input from outside. The checks decide nothing: they refuse what no honest planner
// would plan for this set. They hold integrity, sizes and data: whose the objects are, what pods run, how much is written, and which claims may go. Order,
// time and choice they leave to the planner.
//
// list.go is the list of checks, with what each asks and the function of each. An adapter in another language ports
// the list. docs/security.md says what a planner that lies can still do.
package verify
