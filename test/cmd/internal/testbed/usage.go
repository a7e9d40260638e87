package testbed

import (
	"time"

	"github.com/prometheus/procfs"
)

// CPU is the user and system time that processes have used since they started.
func CPU(pids []int) (time.Duration, error) {
	var sum time.Duration
	err := each(pids, func(p procfs.Proc) error {
		stat, err := p.Stat()
		sum += time.Duration(stat.CPUTime() * float64(time.Second))
		return err
	})
	return sum, err
}

// Peak is the sum of the processes' largest resident sizes, in bytes.
func Peak(pids []int) (int64, error) {
	return memory(pids, func(s procfs.ProcStatus) uint64 { return s.VmHWM })
}

// Resident is the sum of the processes' resident sizes, in bytes.
func Resident(pids []int) (int64, error) {
	return memory(pids, func(s procfs.ProcStatus) uint64 { return s.VmRSS })
}

func memory(pids []int, of func(procfs.ProcStatus) uint64) (sum int64, err error) {
	err = each(pids, func(p procfs.Proc) error {
		status, err := p.NewStatus()
		sum += int64(of(status))
		return err
	})
	return sum, err
}

func each(pids []int, look func(procfs.Proc) error) error {
	for _, pid := range pids {
		p, err := procfs.NewProc(pid)
		if err == nil {
			err = look(p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
