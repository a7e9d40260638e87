package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/setplan/setplan/deploy/local/internal/process"
)

// pids reads which processes were started for the instance.
func (i *Instance) pids() (map[Component]process.Handle, error) {
	recorded := map[Component]process.Handle{}
	data, err := os.ReadFile(i.path(pidsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return recorded, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read pids: %w", err)
	}
	if err := json.Unmarshal(data, &recorded); err != nil {
		return nil, fmt.Errorf("read pids: %w", err)
	}
	return recorded, nil
}

// record keeps a started process, or forgets an ended one (an empty handle).
func (i *Instance) record(c Component, h process.Handle) error {
	recorded, err := i.pids()
	if err != nil {
		return err
	}
	recorded[c] = h
	if h == (process.Handle{}) {
		delete(recorded, c)
	}
	data, err := json.MarshalIndent(recorded, "", "  ")
	if err != nil {
		return fmt.Errorf("record pids: %w", err)
	}
	return writeFile(i.path(pidsFile), append(data, '\n'))
}

// Running returns the components whose process is there, in starting order.
func (i *Instance) Running() ([]Component, error) {
	recorded, err := i.pids()
	if err != nil {
		return nil, err
	}
	var running []Component
	for _, c := range i.possible() {
		if recorded[c].Alive() {
			running = append(running, c)
		}
	}
	return running, nil
}
