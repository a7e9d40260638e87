package cluster

import (
	"fmt"
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
	return i.removeAllBut(settingsFile, logsDir, auditLog)
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
