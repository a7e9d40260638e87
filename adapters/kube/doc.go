// Package kube is the adapter for a Kubernetes cluster: it reads sets, pods, claims and revisions through informers,
// turns them into snapshots, and carries out plans through the API server.
//
// It decides nothing, and package snapshot defines what is in a snapshot. It adds safety: every write carries the precondition that the plan
// names, a snapshot is taken only after the caches show the writes before it, and a set that another controller writes to is left alone.
package kube

// Manager is the field manager of every write, the user agent, and the source of the events. The guard against other controllers recognizes
// our writes by it.
const Manager = "setplan-adapter"
