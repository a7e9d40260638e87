// Package verify checks every action of a plan against the snapshot that the plan was asked for, before it is sent. A
// planner may be far away and serve many clusters; its answer is input from outside. The checks decide nothing: they say
// no to what no planner could mean for this set, and leave order, time and choice to the planner.
//
// list.go is the list of checks, in the words of docs/adapter.md; each names the function that makes it. An adapter in
// another language ports the list. What a planner that lies can still do is in docs/security.md.
package verify
