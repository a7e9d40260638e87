// Command setplan-measure measures what something costs, on real control planes and servers. `make measure WHAT=compare` builds what it needs and runs it.
//
//	setplan-measure compare       both controllers do the same work, one after the other
//	setplan-measure scale         both controllers with 25,000 sets, nearly all at rest: start, rest, edits
//	setplan-measure scale-server  servers that plan for fifty clusters: beside one that floods, and several behind one name
//	setplan-measure hostile       a healthy set beside a catalogue of hostile ones
//	setplan-measure flood         a small caller beside floods of a server
//
// It needs Linux, our programs beside it, and nothing else to run on the machine.
package main

import (
	"fmt"
	"os"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
	"github.com/setplan/setplan/test/cmd/setplan-measure/compare"
	"github.com/setplan/setplan/test/cmd/setplan-measure/flood"
	"github.com/setplan/setplan/test/cmd/setplan-measure/hostile"
	"github.com/setplan/setplan/test/cmd/setplan-measure/scale"
	"github.com/setplan/setplan/test/cmd/setplan-measure/servers"
)

func main() {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case flood.ChildArgument:
			os.Exit(flood.Child(os.Args[2:]))
		case servers.ChildArgument:
			os.Exit(servers.Child(os.Args[2:]))
		}
	}
	scenarios := []*testbed.Command{compare.Command(), scale.Command(), servers.Command(), hostile.Command(), flood.Command()}
	for _, c := range scenarios {
		if len(os.Args) > 1 && c.Name == os.Args[1] {
			c.Main(os.Args[2:])
			return
		}
	}
	fmt.Fprint(os.Stderr, "setplan-measure: what to measure must be one of")
	for _, c := range scenarios {
		fmt.Fprint(os.Stderr, " ", c.Name)
	}
	fmt.Fprintln(os.Stderr)
	os.Exit(2)
}
