// Package kube is the adapter for a Kubernetes cluster: it reads sets, pods, claims and revisions through informers,
// turns them into snapshots, and carries out plans through the API server.
//
// It decides nothing, and what is in a snapshot is said by package snapshot. What it adds is care: every write carries the
// precondition that the plan names, a snapshot is taken only after the caches have shown the writes before it, and a set that
// another controller writes is left alone.
package kube

// Manager is the field manager of every write, the user agent, and the source of the events. The foreign-writer guard
// tells our writes from others by it.
const Manager = "setplan-adapter"
