package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"github.com/prometheus/procfs"
	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/engine"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server"
	"github.com/setplan/setplan/server/codec"
)

const (
	childArgument = "one-request"
	// cpuSeconds and addressSpace end a request that does not end by itself.
	cpuSeconds   = 10
	addressSpace = 6 << 30
)

// measured is what one process used for one request.
type measured struct {
	cpu    time.Duration
	memory int64 // bytes, at the peak
	gap    time.Duration
	step   string // the step of the gap
	answer string
	cut    string // why it was ended; empty if it ended by itself
}

// measureGap is measure, repeated a few times if the gap is too long: other programs can only make a thread slower.
func measureGap(request []byte) (measured, error) {
	m, err := measure(request)
	for turn := 1; turn < 5 && err == nil && m.gap > maxGap; turn++ {
		var again measured
		if again, err = measure(request); again.cut == "" && again.gap < m.gap {
			m.gap, m.step = again.gap, again.step
		}
	}
	return m, err
}

// measure runs a request in a separate process.
func measure(request []byte) (measured, error) {
	self, err := os.Executable()
	if err != nil {
		return measured{}, err
	}
	var answer bytes.Buffer
	cmd := exec.Command(self, childArgument, strconv.Itoa(len(request)))
	cmd.Stdin, cmd.Stdout = bytes.NewReader(request), &answer
	err = cmd.Run()
	var m measured
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		m.cut = "died"
		if status := exit.Sys().(syscall.WaitStatus); status.Signaled() {
			m.cut = "cut"
		}
	} else if err != nil {
		return m, err
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	m.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	m.memory = usage.Maxrss << 10
	// The kernel's figure includes what the parent had before the exec. The child reports its own, if it lives.
	if m.cut == "" {
		if _, err := fmt.Sscan(answer.String(), &m.answer, &m.memory, &m.gap, &m.step); err != nil {
			return m, err
		}
	}
	return m, nil
}

// child answers the request on its input, and prints a summary of the answer.
func child() (exit int) {
	for resource, most := range map[int]uint64{syscall.RLIMIT_AS: addressSpace, syscall.RLIMIT_CPU: cpuSeconds} {
		if err := syscall.Setrlimit(resource, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
			return fatal(err)
		}
	}
	size, err := strconv.Atoi(os.Args[2])
	if err != nil {
		return fatal(err)
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(os.Stdin, data); err != nil {
		return fatal(err)
	}
	text, gap := "refused", newGap()
	if answer, err := plan(data, gap); err == nil {
		text = fmt.Sprintf("%.1fMB", float64(len(answer))/1e6)
	}
	memory, err := peakMemory()
	if err != nil {
		return fatal(err)
	}
	fmt.Println(text, memory, gap.longest.Nanoseconds(), gap.in)
	return 0
}

// peakMemory is the most memory that this process has had, in bytes.
func peakMemory() (uint64, error) {
	self, err := procfs.Self()
	if err != nil {
		return 0, err
	}
	status, err := self.NewStatus()
	return status.VmHWM, err
}

// plan handles a request as the server does, without the transport.
func plan(data []byte, gap *gap) ([]byte, error) {
	limits := codec.Limits{MaxPods: server.DefaultMaxPods, MaxClaims: codec.MaxClaims, MaxElements: codec.MaxElements, Stop: gap.look,
		Memory: codec.Borrow()}
	gap.begin("check")
	err := codec.Check(data, limits)
	gap.look()
	if err != nil {
		return nil, err
	}
	request := &setplanv1.PlanRequest{}
	gap.begin("read")
	if err := codec.Read(data, request, limits); err != nil {
		return nil, err
	}
	gap.begin("decode")
	snapshot, err := codec.Decode(request, limits)
	gap.look()
	if err != nil {
		return nil, err
	}
	gap.begin("decide")
	decided := engine.DecideWithin(snapshot, &engine.Meter{Stop: gap.look})
	gap.begin("encode")
	encoded, err := codec.EncodeWithin(decided, snapshot.Set.Namespace, limits)
	gap.look()
	if err != nil {
		return nil, err
	}
	response := &setplanv1.PlanResponse{Plan: encoded}
	return proto.MarshalOptions{Deterministic: true}.Marshal(response)
}

func fatal(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}
