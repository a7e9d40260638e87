package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// cost is what one side spent on one run of a scenario.
type cost struct {
	wall     time.Duration // from the user's first write until every set is complete
	cpu      time.Duration // user and system, of all processes of the side, from the write until it has nothing left to do
	rss      int64         // bytes: the sum of the processes' peaks, since their start
	server   time.Duration // user and system, of the API server, for as long: it works for everybody, but the rest is the same
	requests requests
	rollouts []time.Duration // of each set, from the user's write of it until "kubectl rollout status" would return
}

func (c cost) String() string {
	return fmt.Sprintf("%.2f s, %d writes, %d reads, CPU %.2f s, of the API server %.2f s, peak %d MB", c.wall.Seconds(), c.requests.writes(),
		c.requests.reads(), c.cpu.Seconds(), c.server.Seconds(), c.rss>>20)
}

// writing are the verbs that change something.
var writing = []string{"create", "update", "patch", "delete", "deletecollection"}

func (r requests) writes() int { return r.count(true) }

func (r requests) reads() int { return r.count(false) }

func (r requests) count(writes bool) int {
	sum := 0
	for what, count := range r {
		verb, _, _ := strings.Cut(what, " ")
		if slices.Contains(writing, verb) == writes {
			sum += count
		}
	}
	return sum
}

func (r requests) String() string {
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(r)) {
		parts = append(parts, fmt.Sprintf("%s %d", what, r[what]))
	}
	return strings.Join(parts, ", ")
}

// tick is the unit of CPU time in /proc, fixed by the kernel's interface on every architecture that Go runs on.
const tick = 10 * time.Millisecond

// cpuOf is the CPU time that processes have used since they started.
func cpuOf(pids []int) (time.Duration, error) {
	var sum time.Duration
	for _, pid := range pids {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return 0, err
		}
		ticks, err := ticksIn(string(data))
		if err != nil {
			return 0, fmt.Errorf("process %d: %w", pid, err)
		}
		sum += time.Duration(ticks) * tick
	}
	return sum, nil
}

// ticksIn reads utime and stime, fields 14 and 15 of proc_pid_stat(5). The name before them may hold anything.
func ticksIn(stat string) (int64, error) {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) < 13 {
		return 0, fmt.Errorf("odd line in stat: %q", stat)
	}
	user, err := strconv.ParseInt(fields[11], 10, 64)
	if err != nil {
		return 0, err
	}
	system, err := strconv.ParseInt(fields[12], 10, 64)
	return user + system, err
}

// peakOf is the sum of the processes' largest resident sizes, in bytes.
func peakOf(pids []int) (int64, error) {
	var sum int64
	for _, pid := range pids {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			return 0, err
		}
		kilobytes, err := peakIn(string(data))
		if err != nil {
			return 0, fmt.Errorf("process %d: %w", pid, err)
		}
		sum += kilobytes << 10
	}
	return sum, nil
}

func peakIn(status string) (int64, error) {
	_, rest, found := strings.Cut(status, "VmHWM:")
	fields := strings.Fields(rest)
	if !found || len(fields) == 0 {
		return 0, fmt.Errorf("no VmHWM in status")
	}
	return strconv.ParseInt(fields[0], 10, 64)
}
