// Command setplan-flood floods a real setplan-server, with the memory limit that we ship, and measures the effect on a caller
// with small requests. It fails if the caller waits three times as long as without the flood (and more than a few
// milliseconds) or makes less than half as many calls, /healthz takes 100 ms, memory exceeds the limit, or SIGTERM does not end the server in
// time.
//
//	setplan-flood -server bin/setplan-server
//
// It needs Linux, two cores, and nothing else to run beside it.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/setplan/setplan/test/cmd/internal/testbed"
)

// The bounds.
const (
	maxRatio   = 3
	maxHealthz = 100 * time.Millisecond
	maxSigterm = 21 * time.Second
	minRate    = 0.5 // of the rate without the flood
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == childArgument {
		os.Exit(child(os.Args[2:]))
	}
	program := flag.String("server", "bin/setplan-server", "the `program` to flood")
	only := flag.String("only", "", "run the `floods` that this expression matches")
	flag.Parse()
	pattern, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "-only:", err)
		os.Exit(2)
	}
	if !floodAll(*program, pattern) {
		os.Exit(1)
	}
}

func floodAll(program string, only *regexp.Regexp) (good bool) {
	good = true
	fmt.Printf("%-6s %-12s %9s %9s %6s %6s %9s %9s %9s %9s %8s %9s\n", "", "flood", "quiet p50", "p50", "ratio", "rate", "quiet p99", "p99", "quiet hz", "healthz", "peak MB", "SIGTERM s")
	for _, name := range []string{"calls", "small-calls", "large-calls", "unfinished", "unread", "silent", "slow", "resets", "headers"} {
		if !only.MatchString(name) {
			continue
		}
		m, err := measure(program, name)
		if err != nil { // such as when the server has died
			fmt.Printf("FLOOD! %-12s %v\n", name, strings.ReplaceAll(err.Error(), "\n", "; "))
			good = false
			continue
		}
		good = m.print(name) && good
	}
	return good
}

// measured is the effect of one flood.
type measured struct {
	quiet, beside latencies
	quietHealthz  time.Duration
	healthz       time.Duration
	memory        int64
	sigterm       time.Duration
	said          string
}

func (m measured) print(name string) (good bool) {
	ratio := float64(m.beside.at(50)) / float64(m.quiet.at(50))
	verdict := "FLOOD"
	rate := float64(m.beside.calls) / beside.Seconds() / (float64(m.quiet.calls) / quiet.Seconds())
	if ratio > maxRatio || rate < minRate || m.healthz > maxHealthz || m.memory > testbed.ServerMemory || m.sigterm > maxSigterm || m.beside.failed > 0 {
		verdict = "FLOOD!"
	}
	fmt.Printf("%-6s %-12s %9s %9s %6.1f %6.2f %9s %9s %9s %9s %8d %9.1f  %s, %d of %d calls failed\n", verdict, name, round(m.quiet.at(50)), round(m.beside.at(50)),
		ratio, rate, round(m.quiet.at(99)), round(m.beside.at(99)), round(m.quietHealthz), round(m.healthz), m.memory>>20, m.sigterm.Seconds(), m.said, m.beside.failed, m.beside.calls)
	return verdict == "FLOOD"
}

func round(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }
