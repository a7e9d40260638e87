package kube

// LeasesOver are the leases under which an adapter may work on the sets of the kind in a namespace: the lease of all namespaces, and the
// namespace's own.
func (k SetKind) LeasesOver(namespace string) []string {
	return append(k.leasesFor(nil), k.leasesFor([]string{namespace})...)
}
