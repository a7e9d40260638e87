package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"
)

// printGrowth shows how cost grows: what one pod, or one set, costs at each size, and the factor of the whole cost when the
// size grows tenfold. 10 is linear; less means a fixed part spread over more.
func printGrowth(out io.Writer, results []result) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "\nwhat a pod costs (in remote-sets, a set of 3), and the growth of the whole per tenfold size: 10 is linear")
	fmt.Fprintln(table, "\tsize\tours ns\tgrowth\tupstream ns\tgrowth\t")
	for i, r := range results {
		ours, upstream := "", ""
		if i > 0 && results[i-1].name == r.name {
			b := results[i-1]
			ours, upstream = growth(b.size, r.size, b.ours, r.ours), growth(b.size, r.size, b.upstream, r.upstream)
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%s\t%d\t%s\t\n", r.name, r.size, r.ours/int64(r.size), ours, r.upstream/int64(r.size), upstream)
	}
	_ = table.Flush()
}

// growth is the factor by which cost grows per tenfold size.
func growth(sizeA, sizeB int, costA, costB int64) string {
	perTenfold := math.Log(float64(costB)/float64(costA)) / math.Log(float64(sizeB)/float64(sizeA))
	return fmt.Sprintf("%.1f", math.Pow(10, perTenfold))
}
