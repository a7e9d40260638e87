// Package outside checks an adapter from outside, as a process, in whatever language it is written: each MUST of proto/SPEC.md for
// adapters that can be seen by its requests.
//
// The adapter runs between two things that the package controls. Towards the cluster there is a gateway to a real API server, which
// notes, holds and refuses requests, and holds watches. Towards the planner there is a real gRPC server over TLS, which answers by a
// script: mostly the plan of the real planner with something changed. Each case has a namespace and a set of its own, so that one process
// of the adapter serves all of them.
//
// An adapter that does not pass a case names it in an Exception with a reason. An exception that is not needed fails.
package outside
