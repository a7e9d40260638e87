//go:build !linux

package process

import (
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// errEnded is the answer for a process that does not run any more.
var errEnded = errors.New("process has ended")

// startOf asks ps, where there is no /proc, for the second a process began in.
func startOf(pid int) (string, error) {
	out, err := exec.Command("ps", "-o", "state=,lstart=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return "", fmt.Errorf("ask ps for pid %d: %w", pid, err)
	}
	state, start, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if state == "" || strings.HasPrefix(state, "Z") {
		return "", errEnded
	}
	return strings.TrimSpace(start), nil
}
