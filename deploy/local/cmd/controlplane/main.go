// Command controlplane is every program of the local control plane in one
// binary: what the components share is compiled and linked once, instead of
// once for each of six.
package main

import (
	"fmt"
	"os"

	"github.com/setplan/setplan/deploy/local/internal/multicall"
)

var programs = multicall.Programs{
	"etcd":                    runEtcd,
	"kube-apiserver":          runAPIServer,
	"kube-controller-manager": runControllerManager,
	"kube-scheduler":          runScheduler,
	"kubectl":                 runKubectl,
	"kwok":                    runKwok,
}

func main() {
	run, args, ok := programs.Pick(os.Args)
	if !ok {
		fmt.Fprintf(os.Stderr, "usage: controlplane PROGRAM [FLAGS], where PROGRAM is one of %s\n", programs)
		os.Exit(2)
	}
	os.Args = args
	os.Exit(run())
}
