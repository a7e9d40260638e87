// Package objects makes a Snapshot of what an API server has sent as JSON, for callers that ask and do not act. It picks what belongs to the set, and decides
// nothing: what is in a snapshot stands in snapshot.proto and SPEC.md, and adapters/snapshot does the same with Kubernetes' types. What Kubernetes owns
// (templates, the data of revisions) it passes on as it was sent.
//
//	read.go       documents to candidates, and the set among them
//	belongs.go    which of them are in the snapshot
//	set.go, pod.go, containers.go, claim.go
//	tables.go     what objects share
//	fields.go     JSON to the values of fields
package objects
