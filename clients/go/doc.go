// Package setplan is the Go client of the planner.
//
// Dial needs to be told how the connection is protected: WithTLSFiles, WithTLSConfig, or WithInsecure for a planner on
// the same machine. Everything else has a default that fits a controller: calls are spread over all addresses of the
// name, UNAVAILABLE is retried and nothing else, a call without a deadline gets one, and messages are bounded. A planner with
// too much to do says so (the reason OVERLOADED), and when to ask again: that is left to the caller, whose queue knows better
// than a call that waits.
//
// A request without capabilities is sent with all that this build of the contract knows, so that who only looks need not list
// them. An adapter lists its own: it must not be sent operations that it cannot carry out.
//
// Tables makes the tables of a snapshot, and Describe a text of a plan.
//
// Errors are gRPC statuses. ErrorReason and Violations read their details.
package setplan
