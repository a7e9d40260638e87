package process

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
)

// errEnded is the answer for a process that does not run any more.
var errEnded = errors.New("process has ended")

// startOf returns the boot and the clock tick in it at which a process began.
func startOf(pid int) (string, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", fmt.Errorf("read process state: %w", err)
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", fmt.Errorf("read boot id: %w", err)
	}
	ticks, err := parseStat(stat)
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(boot)) + "/" + ticks, nil
}

// parseStat takes the start time from /proc/PID/stat. The second field is the
// program's name in parentheses and may hold spaces and parentheses itself, so
// the fields are counted from the last one that closes.
func parseStat(stat []byte) (string, error) {
	end := bytes.LastIndexByte(stat, ')')
	if end < 0 {
		return "", fmt.Errorf("unexpected process state %q", stat)
	}
	const state, startTime = 3, 22
	fields := strings.Fields(string(stat[end+1:]))
	if len(fields) <= startTime-state {
		return "", fmt.Errorf("unexpected process state %q", stat)
	}
	if s := fields[0]; s == "Z" || s == "X" {
		return "", errEnded
	}
	return fields[startTime-state], nil
}
