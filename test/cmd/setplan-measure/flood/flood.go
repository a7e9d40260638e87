// Package flood floods a real setplan-server, with the memory limit that we ship, and measures the effect on a caller
// with small requests. It fails if the caller waits three times as long as without the flood (and more than a few
// milliseconds) or makes less than half as many calls, /healthz takes 100 ms, memory exceeds the limit, or SIGTERM does not end the server in
// time. It needs two cores.
package flood

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
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

// Command is what measures that.
func Command() *testbed.Command {
	return &testbed.Command{Name: "flood", OnlyUsage: "regular `expression`: the floods to run", Measure: floodAll}
}

func floodAll(ctx context.Context, o *testbed.Choice) error {
	var harmful []error
	fmt.Printf("%-6s %-28s %9s %9s %6s %6s %9s %9s %9s %9s %8s %9s\n", "", "flood", "quiet p50", "p50", "ratio", "rate", "quiet p99", "p99", "quiet hz", "healthz", "peak MB", "SIGTERM s")
	for _, name := range []string{"calls", "small-calls", "large-calls", "unfinished", "unread", "silent", "slow", "resets", "headers", "vain",
		"cancelled-forecasts", "growing-forecasts", "noted-forecasts", "long-forecasts", "pessimistic-forecasts", "unread-forecasts",
		"identified-vain", "identified-growing-forecasts", "identified-unread-forecasts", "identified-unread"} {
		if !o.Picks(name) || ctx.Err() != nil {
			continue
		}
		m, err := measure(filepath.Join(o.Bin, "setplan-server"), name)
		if err != nil { // such as when the server has died
			fmt.Printf("FLOOD! %-28s %v\n", name, strings.ReplaceAll(err.Error(), "\n", "; "))
		}
		if err != nil || !m.print(name) {
			harmful = append(harmful, fmt.Errorf("%s does harm to others", name))
		}
	}
	return errors.Join(append(harmful, ctx.Err())...)
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
	fmt.Printf("%-6s %-28s %9s %9s %6.1f %6.2f %9s %9s %9s %9s %8d %9.1f  %s, %d of %d calls failed\n", verdict, name, round(m.quiet.at(50)), round(m.beside.at(50)),
		ratio, rate, round(m.quiet.at(99)), round(m.beside.at(99)), round(m.quietHealthz), round(m.healthz), m.memory>>20, m.sigterm.Seconds(), m.said, m.beside.failed, m.beside.calls)
	return verdict == "FLOOD"
}

func round(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }
