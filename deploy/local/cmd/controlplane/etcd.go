package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

// runEtcd returns only when etcd was stopped in an orderly way: etcd exits by
// itself on any error.
func runEtcd() int {
	etcdmain.Main(os.Args)
	return 0
}
