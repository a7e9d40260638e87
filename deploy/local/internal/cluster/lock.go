package cluster

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// errBusy says that another command is at work on the same instance.
var errBusy = errors.New("another command is at work on it")

// lock keeps commands on one instance from mixing. The lock goes with
// the process that holds it, however that ends.
func (i *Instance) lock() (func(), error) {
	return flock(i.path(lockFile), syscall.LOCK_EX|syscall.LOCK_NB)
}

// lockStateDir is held while a new instance's folder and ports are chosen.
func lockStateDir(stateDir string) (func(), error) {
	if err := os.MkdirAll(stateDir, 0o755); err != nil {
		return nil, fmt.Errorf("make state folder: %w", err)
	}
	return flock(filepath.Join(stateDir, "."+lockFile), syscall.LOCK_EX)
}

func flock(path string, how int) (func(), error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	err = syscall.Flock(int(f.Fd()), how)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = errBusy
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
	}
	return func() { _ = f.Close() }, nil
}
