package main

import (
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/setplan/setplan/test/oracle"
)

// shrunk prints the first divergence of each class, as small as it gets, and the numbers of the others; it returns those
// printed.
func shrunk(found []oracle.Found, seed int64) []oracle.Found {
	var out []oracle.Found
	seen := map[string]bool{}
	for _, d := range found {
		kind, again := "world", "-n 1"
		if d.Life {
			kind, again = "life", "-n 0 -lives 1"
		}
		if seen[d.Class] {
			fmt.Printf("%s %d: %s\n", kind, d.Index, d.Class)
			continue
		}
		seen[d.Class] = true
		d.Divergence = oracle.Shrink(d.Divergence, oracle.Rules(d.World.Gate))
		fmt.Printf("--- %s %d, shrunk (again: -seed %d -first %d %s)\n%s\n", kind, d.Index, seed, d.Index, again, d.Divergence)
		out = append(out, d)
	}
	return out
}

func printReport(r oracle.Report) {
	fmt.Println("requests of upstream:")
	for _, op := range slices.Sorted(maps.Keys(r.Writes)) {
		fmt.Printf("  %9d  %s\n", r.Writes[op], op)
	}
	fmt.Println("allowed differences:")
	for _, a := range oracle.Allowances() {
		fmt.Printf("  %9d  %s: upstream %s; ours: %s\n", r.Allowed[a], a.Name, a.Upstream, a.Here)
	}
}

func saveAll(dir, note string, found []oracle.Found) {
	for _, d := range found {
		path, err := oracle.Save(dir, d, note)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("saved %s\n", path)
	}
}
