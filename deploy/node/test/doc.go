// Package test runs Setplan on real nodes: kubelets, containerd, disks. Its tests need root and Linux: make test-long WHAT=node.
package test
