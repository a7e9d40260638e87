// Package server is the planner as a gRPC service: the codec and the engine behind limits, typed errors, metrics, health
// and a drain.
//
// Service is the planner without a network; an embedded planner is just that. Server puts it on a socket.
//
//	errors.go        every status that a caller can see
//	service.go       the two methods
//	wire.go          how messages come in: size first, then bytes, then meaning
//	admission.go     which calls go on where there is more to do than the machine can
//	interceptors.go  what surrounds a call, in order
//	logbudget.go     how much log callers can cause
//	trailers.go      how long a refusal may be
//	tls.go           certificates, and admitted.go whom they let in
//	server.go        sockets, and from start to drain
//
// The server keeps nothing between calls, so any number of them may run side by side.
package server
