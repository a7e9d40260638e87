package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

type object = map[string]any

// createObjects makes what a cluster has before its first user comes: nodes,
// and a storage class that claims get when they name none.
func (i *Instance) createObjects(ctx context.Context, token string) error {
	create := func(path string, o object) error {
		_, err := call(ctx, http.MethodPost, httpsURL(i.Ports.APIServer)+path, token, o)
		if err != nil && !errors.Is(err, errExists) {
			return fmt.Errorf("create the first objects: %w", err)
		}
		return nil
	}
	if i.Real { // its nodes make themselves known
		return errors.Join(create("/apis/storage.k8s.io/v1/csidrivers", csiDriver()), create("/apis/storage.k8s.io/v1/storageclasses", disks()))
	}
	if err := create("/apis/storage.k8s.io/v1/storageclasses", storageClass()); err != nil {
		return err
	}
	for n := range i.Nodes {
		if err := create("/api/v1/nodes", node(fmt.Sprintf("node-%d", n))); err != nil {
			return err
		}
	}
	return nil
}

func node(name string) object {
	return object{
		"apiVersion": "v1",
		"kind":       "Node",
		"metadata": object{
			"name":        name,
			"annotations": object{"kwok.x-k8s.io/node": "fake"},
			"labels": object{
				"kubernetes.io/hostname": name,
				"kubernetes.io/os":       "linux",
				"kubernetes.io/arch":     "amd64",
				"type":                   "kwok",
			},
		},
	}
}

// storageClass binds at once: waiting for a consumer takes the scheduler one
// more round for every pod.
func storageClass() object {
	return object{
		"apiVersion": "storage.k8s.io/v1",
		"kind":       "StorageClass",
		"metadata": object{
			"name":        "standard",
			"annotations": object{"storageclass.kubernetes.io/is-default-class": "true"},
		},
		"provisioner":          "kwok.x-k8s.io/volume",
		"reclaimPolicy":        "Delete",
		"volumeBindingMode":    "Immediate",
		"allowVolumeExpansion": true,
	}
}

// diskDriver is the name of deploy/node's driver.
const diskDriver = "disk.setplan.io"

func csiDriver() object {
	return object{
		"apiVersion": "storage.k8s.io/v1",
		"kind":       "CSIDriver",
		"metadata":   object{"name": diskDriver},
		"spec":       object{"attachRequired": false, "fsGroupPolicy": "File"},
	}
}

// disks is the class of disks of real nodes. A disk is on the node that its first pod is given.
func disks() object {
	class := storageClass()
	class["provisioner"], class["volumeBindingMode"] = diskDriver, "WaitForFirstConsumer"
	return class
}

// populated checks that pods can be created and will find a place: the default
// namespace's account is there, and every node is ready and takes pods.
func (i *Instance) populated(ctx context.Context, token string) error {
	base := httpsURL(i.Ports.APIServer)
	if _, err := call(ctx, http.MethodGet, base+"/api/v1/namespaces/default/serviceaccounts/default", token, nil); err != nil {
		return err
	}
	data, err := call(ctx, http.MethodGet, base+"/api/v1/nodes", token, nil)
	if err != nil {
		return err
	}
	var nodes nodeList
	if err := json.Unmarshal(data, &nodes); err != nil {
		return fmt.Errorf("read nodes: %w", err)
	}
	if ready := nodes.ready(); ready < i.Nodes {
		return fmt.Errorf("%d of %d nodes are ready", ready, i.Nodes)
	}
	return nil
}

// nodeList is the part of a v1.NodeList that tells which nodes take pods.
type nodeList struct {
	Items []struct {
		Spec struct {
			Taints []struct{ Key string }
		}
		Status struct {
			Conditions []struct{ Type, Status string }
		}
	}
}

func (l nodeList) ready() int {
	count := 0
	for _, n := range l.Items {
		for _, c := range n.Status.Conditions {
			if c.Type == "Ready" && c.Status == "True" && len(n.Spec.Taints) == 0 {
				count++
			}
		}
	}
	return count
}
