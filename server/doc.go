// Package server is the planner as a gRPC service: the codec and the engine behind limits, typed errors, metrics, health
// and an orderly shutdown.
//
// Service is the planner without a network, as an embedded planner uses it. Server puts it on a socket.
//
//	errors.go        every status that a caller can see
//	service.go       the two methods
//	wire.go          how messages come in: size first, then bytes, then meaning
//	admission.go     which calls go on when the machine is overloaded
//	interceptors.go  what surrounds a call, in order
//	logbudget.go     how much log callers can cause
//	trailers.go      how long a refusal may be
//	tls.go           certificates, and admitted.go whom they let in
//	server.go        sockets, and from start to drain
//
// The server keeps nothing between calls, so any number of servers may run side by side.
package server
