package kube

// LeasesOver are the leases under which an adapter may work on the sets of a namespace: the lease of all namespaces, and the
// namespace's own.
func LeasesOver(namespace string) []string {
	return append(leasesFor(nil), leasesFor([]string{namespace})...)
}
