package node

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/setplan/setplan/deploy/node/internal/network"
)

const (
	cniPlugins     = "/usr/lib/cni"
	cniConfig      = "/var/lib/cni/net.d"
	kubeletDir     = "/var/lib/kubelet"
	Socket         = "/run/containerd/containerd.sock"
	containerdFile = "/var/lib/containerd.toml"
	kubeletFile    = "/var/lib/kubelet.json"
	resolvFile     = "/var/lib/resolv.conf"
	driverSocket   = kubeletDir + "/plugins/disk.setplan.io/csi.sock"
)

// Pause is the image of each pod's first container.
const Pause = "setplan.local/pause:1"

type object = map[string]any

// files are the settings of a node's programs.
func (c Config) files() map[string][]byte {
	return map[string][]byte{
		containerdFile: []byte(containerdConfig),
		kubeletFile:    text(c.kubelet()),
		resolvFile:     []byte("nameserver 127.0.0.1\n"), // which refuses at once: nobody needs a name of the outside
		filepath.Join(cniConfig, "10-bridge.conflist"): text(c.cni()),
	}
}

func text(o object) []byte {
	data, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		panic(err) // plain values
	}
	return data
}

// containerdConfig is for containers that are started by root of a machine that may lack CAP_SYS_RESOURCE, as a container or a sandbox does.
var containerdConfig = fmt.Sprintf(`version = 3
root = "/var/lib/containerd"
state = "/run/containerd"
disabled_plugins = ["io.containerd.nri.v1.nri", "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.blockfile", "io.containerd.snapshotter.v1.erofs"]

[grpc]
address = %q

[plugins.'io.containerd.cri.v1.images']
snapshotter = "overlayfs"
[plugins.'io.containerd.cri.v1.images'.pinned_images]
sandbox = %q

[plugins.'io.containerd.cri.v1.runtime']
restrict_oom_score_adj = true
netns_mounts_under_state_dir = true
disable_apparmor = true
tolerate_missing_hugetlb_controller = true
[plugins.'io.containerd.cri.v1.runtime'.cni]
bin_dirs = [%q]
conf_dir = %q
[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
SystemdCgroup = false
`, Socket, Pause, cniPlugins, cniConfig)

func (c Config) kubelet() object {
	return object{
		"apiVersion": "kubelet.config.k8s.io/v1beta1",
		"kind":       "KubeletConfiguration",
		// Nobody but the API server is in the node's network.
		"authentication": object{"anonymous": object{"enabled": true}, "webhook": object{"enabled": false}},
		"authorization":  object{"mode": "AlwaysAllow"},

		"containerRuntimeEndpoint": "unix://" + Socket,
		"cgroupDriver":             "cgroupfs",
		"cgroupRoot":               "/" + c.Cgroup,
		"failCgroupV1":             false,
		"failSwapOn":               false,
		"clusterDomain":            "cluster.local",
		"clusterDNS":               []string{network.DNS},
		"resolvConf":               resolvFile,
		"volumePluginDir":          kubeletDir + "/exec",
		// The disk is the machine's, which may be nearly full for other reasons.
		"evictionHard":                object{"memory.available": "100Mi", "nodefs.available": "1%", "imagefs.available": "1%"},
		"imageGCHighThresholdPercent": 100,
		"imageGCLowThresholdPercent":  99,
		"nodeStatusReportFrequency":   "10s",
		"syncFrequency":               "10s",
		"serializeImagePulls":         false,
	}
}

func (c Config) cni() object {
	return object{
		"cniVersion": "1.0.0",
		"name":       "pods",
		"plugins": []object{{
			"type":             "bridge",
			"bridge":           "cni0",
			"isDefaultGateway": true,
			"hairpinMode":      true,
			"ipam":             object{"type": "host-local", "dataDir": "/run/cni", "ranges": [][]object{{{"subnet": network.Pods(c.Number)}}}},
		}},
	}
}
