// Package cluster runs named Kubernetes control planes side by side on one
// machine: etcd, the API server, the controller manager, the scheduler and
// kwok in the place of nodes and kubelets.
package cluster

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Component is one process of an instance, by the name that commands use.
type Component string

const (
	Etcd              Component = "etcd"
	APIServer         Component = "apiserver"
	ControllerManager Component = "controller-manager"
	Scheduler         Component = "scheduler"
	Kwok              Component = "kwok"
	// StatefulSetController is a second controller manager, in a binary of its
	// own, that runs the built-in StatefulSet controller and nothing else.
	StatefulSetController Component = "statefulset-controller"
)

// Components is every component in the order they are started in. They are
// stopped in the opposite order: an API server that has lost its etcd, or a
// client its API server, takes long to end.
var Components = []Component{Etcd, APIServer, ControllerManager, Scheduler, Kwok, StatefulSetController}

// ParseComponent also takes the name of the program.
func ParseComponent(name string) (Component, error) {
	for _, c := range append(Components, Network, Storage) {
		if name == string(c) || name == c.program() {
			return c, nil
		}
	}
	if c := Component(name); c.isNode() || c.isKubelet() {
		return c, nil
	}
	return "", fmt.Errorf("unknown component %q, want one of %s; with real nodes network, storage, node-0, kubelet-0 and so on", name, names(Components))
}

func names(components []Component) string {
	var all []string
	for _, c := range components {
		all = append(all, string(c))
	}
	return strings.Join(all, ", ")
}

// program is the name of the component's executable.
func (c Component) program() string {
	if c == Network || c == Storage || c.isNode() {
		return "setplan-node"
	}
	if slices.Contains([]Component{APIServer, ControllerManager, Scheduler}, c) {
		return "kube-" + string(c)
	}
	return string(c)
}

// starts is how often a component is started before it counts as broken. kwok 0.8.0 panics now and then where pods are there before
// its stages are (PodController.preprocess), and then starts well.
func (c Component) starts() int {
	if c == Kwok {
		return 5
	}
	return 1
}

// grace is how long a component may take to end before it is killed. The
// servers answer what they have been asked at once, but then wait a minute for
// watches that their clients never end; the data is thrown away in any case.
func (c Component) grace() time.Duration {
	if c == Etcd || c == APIServer {
		return 2 * time.Second
	}
	if c.isNode() {
		return 15 * time.Second // it removes its control groups
	}
	return 5 * time.Second
}
