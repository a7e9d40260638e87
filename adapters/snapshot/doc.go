// Package snapshot turns Kubernetes objects into the contract's Snapshot. It decides nothing and asks no API: a snapshot says what
// the objects say, as snapshot.proto defines it.
//
// Of makes a snapshot from plain lists, in one go. An adapter that watches a cluster instead makes the messages of pods and claims
// as they arrive (Pod, Claim), keeps them, and combines them with Tables for each snapshot.
//
//	objects.go     plain lists to a snapshot
//	membership.go  which of the objects are in the snapshot
//	set*.go        a set, with its templates as unchanged bytes
//	pod.go, ended.go, containers.go, claim.go
//	shared.go, owners.go, annotations.go
//	               what objects share, as comparable texts
//	tables.go      the tables of a snapshot with what objects share; revisions
package snapshot
