// Package setplan is the Go client of the planner.
//
// Dial must be told how the connection is protected: WithTLSFiles, WithTLSConfig, or WithInsecure for a planner on the same machine.
// Everything else has a default that suits a controller: calls are spread over all addresses of the name, only UNAVAILABLE is
// retried, a call without a deadline gets one, and messages are bounded. An overloaded planner says so (the reason OVERLOADED) and
// when to try again. That is left to the caller, whose queue knows better than a waiting call.
//
// A request without capabilities is sent with all that this build of the contract knows, so that a caller that only looks need not
// list them. An adapter lists its own: it must not get operations that it cannot carry out.
//
// Tables makes the tables of a snapshot, and Describe turns a plan into text.
//
// Errors are gRPC statuses. ErrorReason and Violations read their details.
package setplan
