// Command setplan-cost measures what each hostile request costs: one process per request, its CPU time, its peak memory, and
// the longest work without a check of whether the caller still waits, which is how long a cancelled call runs on. It fails if
// one exceeds the bounds in server/LIMITS.md.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/server"
	"github.com/setplan/setplan/test/hostile"
)

// mostGap bounds how long a request goes on after it was cancelled.
const mostGap = 100 * time.Millisecond

// The CPU time of one request under the limits.
const (
	ofPlans     = time.Second
	ofForecasts = 2 * time.Second
)

const (
	maxMemory = 200 << 20
	// idleMemory is what a process takes that answers nothing. On top of it a request must not take more than a server
	// reserves.
	idleMemory = 16 << 20
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == childArgument {
		os.Exit(child(os.Args[2], os.Args[3]))
	}
	only := flag.String("only", "", "measure the `cases` that this expression matches")
	flag.Parse()
	pattern, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "-only:", err)
		os.Exit(2)
	}
	if !measureAll(pattern) {
		os.Exit(1)
	}
}

func measureAll(only *regexp.Regexp) (good bool) {
	good = true
	fmt.Printf("%-5s %-19s %9s %12s %8s %8s %8s %16s %8s  %s\n", "", "case", "KB", "before", "CPU s", "s/MB", "peak MB", "cancelled ms", "answer",
		"what it multiplies")
	for _, c := range append(hostile.Cases(), hostile.DocumentCases()...) {
		build := func() ([]byte, error) { return proto.Marshal(c.Build()) }
		good = !only.MatchString(c.Name) || measureOne(planArgument, hostile.Forecast{Name: c.Name, What: c.What, Build: build, Before: c.Before}, ofPlans) && good
	}
	for _, f := range append(hostile.Forecasts(), hostile.Foreseen()...) {
		good = !only.MatchString(f.Name) || measureOne(forecastArgument, f, ofForecasts) && good
	}
	return good
}

// measureOne measures a request of a method, and reports whether it is within the bounds.
func measureOne(method string, c hostile.Forecast, most time.Duration) (good bool) {
	request, err := c.Build()
	if err != nil {
		fmt.Fprintln(os.Stderr, c.Name, err)
		return false
	}
	m, err := measureGap(method, request, mostGap)
	if err != nil {
		fmt.Fprintln(os.Stderr, c.Name, err)
		return false
	}
	verdict, good := "COST", true
	reserved := server.MemoryFor(len(request))
	if method == forecastArgument {
		reserved += server.ForecastMemory
	}
	if m.cpu > most || m.memory > maxMemory || m.memory > idleMemory+reserved || m.gap > mostGap || m.cut != "" {
		verdict, good = "COST!", false
	}
	mb := float64(len(request)) / 1e6
	fmt.Printf("%-5s %-19s %9.1f %12s %8.2f %8.2f %8.0f %9.1f %-6s %8s  %s\n", verdict, c.Name, 1000*mb, c.Before, m.cpu.Seconds(),
		m.cpu.Seconds()/mb, float64(m.memory)/(1<<20), 1000*m.gap.Seconds(), m.step, strings.TrimSpace(m.cut+" "+m.answer), c.What)
	return good
}
