// Package snapshot turns Kubernetes objects into the contract's Snapshot. It decides nothing, and it asks no API: what is in a
// snapshot is what the objects say, as snapshot.proto has it.
//
// Of makes a snapshot of plain lists, in one go. An adapter that watches a cluster instead makes the messages of pods and claims
// as they arrive (Pod, Claim), keeps them, and puts them together with Tables for each snapshot.
//
//	objects.go     plain lists to a snapshot
//	membership.go  which of the objects are in it
//	set*.go        a set, its templates as the bytes that they are
//	pod.go, ended.go, claim.go
//	shared.go, owners.go, annotations.go
//	               what objects have in common, as texts that can be compared
//	tables.go      and where that stands in a snapshot; revisions
package snapshot
