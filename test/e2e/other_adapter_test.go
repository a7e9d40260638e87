//go:build e2e

package e2e

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// adapterCommand runs the suite with another adapter in the place of setplan-adapter, in any language.
var adapterCommand = flag.String("adapter-command", "", "a program and its first arguments, to run in the place of setplan-adapter; it has the flags of "+
	"otherFlags and --kubeconfig, --planner-address and --planner-ca-file, and logs that the caches are filled")

// otherFlags are the flags of setplan-adapter that another adapter has, too.
var otherFlags = []string{"--namespace", "--leader-elect"}

// startOther runs that program. It embeds no planner: where a test wants one, it asks that of all tests. A flag that it lacks must not matter
// to the test: metrics, limits of requests, and the kinds to run, which are apps/v1.
func startOther(dir, name, kubeconfig string, planner *planner, args []string) (*process, error) {
	if planner == nil {
		planner = shared.planner
	}
	command := append(strings.Fields(*adapterCommand), "--kubeconfig", kubeconfig, "--planner-address", planner.address, "--planner-ca-file", planner.ca)
	for i := 0; i < len(args); i++ {
		flag, value, one := strings.Cut(args[i], "=")
		switch {
		case one:
		case flag == "--leader-elect" || i+1 == len(args):
			value = "true"
		default:
			i++
			value = args[i]
		}
		switch {
		case flag == "--own" && value != "apps/v1", flag == "--mode", flag == "--embedded":
			return nil, fmt.Errorf("another adapter has no %s %s", flag, value)
		case slices.Contains(otherFlags, flag):
			command = append(command, flag+"="+value)
		}
	}
	return startFile(filepath.Join(dir, name+".log"), command[0], command[1:]...)
}
