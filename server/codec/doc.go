// Package codec translates between the wire contract (setplan.v1) and the engine's types. No other package knows both. It
// does not know gRPC, so that an embedded planner needs no network code.
//
// Decode refuses malformed requests: a missing uid, an index outside its table. It passes on what is merely odd, such as an
// unknown strategy or a template that is not JSON: those are facts about a cluster, and the engine answers them with blocks.
package codec
