// Package oracle proves that the engine decides what Kubernetes decides. It runs the StatefulSet controller of Kubernetes
// 1.37.2 itself, or with kubernetes-1.36.mod 1.36.3, the Go package that kube-controller-manager links, beside ours on the same input. Every difference is a
// failure.
//
// It is a separate module because k8s.io/kubernetes is no library: users of the product must not download it.
//
//	world         one set with everything around it, as typed objects; a seeded generator of such worlds, and their life
//	upstream      one pass of the upstream controller over a world, every API request recorded
//	planned       one plan of the engine for the same world, carried out as an adapter would, every request recorded
//	oracle        this package: the comparison, the list of allowed differences, the runner and the shrinking of what differs
//	differences   the rows in which SETPLAN departs from upstream, run through both, and the page made of them
//	cmd/oracle    the program that runs as many worlds as one likes
package oracle
