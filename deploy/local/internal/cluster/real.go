package cluster

import (
	"fmt"
	"hash/fnv"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// The components of an instance with real nodes: programs of deploy/node.
const (
	// Network is the nodes' network, with DNS.
	Network Component = "network"
	// Storage makes and grows the disks of claims.
	Storage Component = "storage"
)

const (
	nodePrefix    = "node-"
	kubeletPrefix = "kubelet-"

	// kubelets is the user that all of them are.
	kubelets = "kubelets"

	networkSocket = "network.sock" // the API server's way to kubelets and pods
	networkFile   = "network.path" // where processes find the network's namespace
	egressFile    = "egress.yaml"
	volumesDir    = "volumes"
	loadedFile    = "loaded" // of a node: it has the images

	// clusterAPIServer is the API server's address inside of the nodes' network.
	clusterAPIServer = "https://10.96.0.1:443"
)

// egress is the API server's way into the nodes' network.
const egress = `apiVersion: apiserver.k8s.io/v1beta1
kind: EgressSelectorConfiguration
egressSelections:
- name: cluster
  connection:
    proxyProtocol: HTTPConnect
    transport:
      uds:
        udsName: %q
`

// nodes are the components that are nodes: each a tree of processes with a kubelet.
func (i *Instance) nodes() []Component {
	var all []Component
	for n := range i.Nodes {
		all = append(all, Component(fmt.Sprint(nodePrefix, n)))
	}
	return all
}

// all are the components that commands take: kubelets are parts of their nodes.
func (i *Instance) all() []Component {
	all := i.Components()
	for _, c := range i.Components() {
		if c.isNode() {
			all = append(all, Component(kubeletPrefix+c.number()))
		}
	}
	return all
}

// number is which node it is.
func (c Component) number() string {
	_, number, _ := strings.Cut(string(c), "-")
	return number
}

func (c Component) isNode() bool { return strings.HasPrefix(string(c), nodePrefix) }

// isKubelet says whether it is the kubelet of a node, which can be stopped and started while the node's containers run on.
func (c Component) isKubelet() bool { return strings.HasPrefix(string(c), kubeletPrefix) }

func (i *Instance) networkArgs() []string {
	return []string{"network",
		"--nodes", fmt.Sprint(i.Nodes),
		"--apiserver", loopback(i.Ports.APIServer),
		"--socket", i.path(networkSocket),
		"--path", i.path(networkFile),
		"--kubeconfig", i.path(kubeconfigOf(Network)),
	}
}

func (i *Instance) storageArgs() []string {
	return []string{"storage", "--dir", i.path(string(Storage)), "--volumes", i.path(volumesDir), "--kubeconfig", i.path(kubeconfigOf(Storage))}
}

func (i *Instance) nodeArgs(c Component) []string {
	return []string{"node",
		"--name", string(c),
		"--number", c.number(),
		"--dir", i.path(string(c)),
		"--volumes", i.path(volumesDir),
		"--network", i.path(networkFile),
		"--cgroup", i.cgroup(c),
		"--kubeconfig", i.path(kubeconfigOf(kubelets)),
		"--loaded", i.path(string(c), loadedFile),
	}
}

// cgroup is the control group of a node. Instances of one name in two folders have different ones.
func (i *Instance) cgroup(c Component) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(i.dir))
	return fmt.Sprintf("setplan-%s-%08x-%s", i.Name, h.Sum32(), c)
}

// clearNodes removes what a node leaves that was killed, and could not do so itself.
func (i *Instance) clearNodes() error {
	if !i.Real {
		return nil
	}
	args := []string{"clear"}
	for _, c := range i.nodes() {
		args = append(args, i.cgroup(c))
	}
	if out, err := exec.Command(filepath.Join(i.BinDir, "setplan-node"), args...).CombinedOutput(); err != nil {
		return fmt.Errorf("remove control groups: %w: %s", err, out)
	}
	return nil
}

// longestPath is that of a socket, for the kernel.
const longestPath = 107

// checkDir says whether sockets have room in the instance's folder.
func (i *Instance) checkDir() error {
	if socket := i.readyFile(Storage); i.Real && len(socket) > longestPath {
		return fmt.Errorf("the folder %s is too long by %d bytes: real nodes have the socket %s, and the path of a socket has at most %d bytes", i.dir, len(socket)-longestPath, socket, longestPath)
	}
	return nil
}

// readyFile is what a component of real nodes leaves when it is ready.
func (i *Instance) readyFile(c Component) string {
	switch c {
	case Network:
		return i.path(networkFile)
	case Storage:
		return i.path(string(Storage), "csi.sock")
	}
	return i.path(string(c), loadedFile)
}

// signalKubelet tells a node to kill its kubelet, or to start it again.
func (i *Instance) signalKubelet(c Component, s syscall.Signal) error {
	node := Component(nodePrefix + c.number())
	recorded, err := i.pids()
	if err != nil {
		return err
	}
	if !recorded[node].Alive() {
		return fmt.Errorf("%s does not run", node)
	}
	return recorded[node].Signal(s)
}
