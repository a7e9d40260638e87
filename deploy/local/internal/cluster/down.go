package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
)

// Down stops an instance and removes its folder, or all of it but the logs and
// the settings by which they are found.
func (i *Instance) Down(keepLogs bool) error {
	unlock, err := i.lock()
	if err != nil {
		return fmt.Errorf("instance %s: %w", i.Name, err)
	}
	defer unlock()
	if err := i.stopAll(); err != nil {
		return fmt.Errorf("instance %s: %w", i.Name, err)
	}
	if err := i.clearNodes(); err != nil {
		return fmt.Errorf("instance %s: %w", i.Name, err)
	}
	if !keepLogs {
		if err := os.RemoveAll(i.dir); err != nil {
			return fmt.Errorf("remove instance %s: %w", i.Name, err)
		}
		return nil
	}
	if err := i.keepNodeLogs(); err != nil {
		return err
	}
	return i.removeAllBut(settingsFile, logsDir, auditLog)
}

// keepNodeLogs moves the logs of the programs of nodes, and of their disks, to the others.
func (i *Instance) keepNodeLogs() error {
	if !i.Real {
		return nil
	}
	folders := map[Component]string{Storage: i.path(string(Storage))}
	for _, node := range i.nodes() {
		folders[node] = i.path(string(node), "log")
	}
	for c, folder := range folders {
		if err := os.Rename(folder, i.path(logsDir, string(c))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("keep the logs of %s: %w", c, err)
		}
	}
	return nil
}

func (i *Instance) removeAllBut(kept ...string) error {
	entries, err := os.ReadDir(i.dir)
	if err != nil {
		return fmt.Errorf("remove instance %s: %w", i.Name, err)
	}
	for _, e := range entries {
		if slices.Contains(kept, e.Name()) {
			continue
		}
		if err := os.RemoveAll(i.path(e.Name())); err != nil {
			return fmt.Errorf("remove instance %s: %w", i.Name, err)
		}
	}
	return nil
}
