// Command setplan-sim shows setplan at work on a cluster in memory: no control plane, no network, seconds instead of minutes.
//
//	setplan-sim demo          the manual's nginx example: comes up, scales, is updated, rolled back, and deleted
//	setplan-sim story FILE    runs one story, such as those in test/story/testdata/stories
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "setplan-sim:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	switch {
	case len(args) == 1 && args[0] == "demo":
		return demo(out)
	case len(args) == 2 && args[0] == "story":
		return tell(args[1], out)
	}
	return fmt.Errorf("usage: setplan-sim demo | setplan-sim story FILE")
}
