package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// Settings is what `up` was asked for. A component that is restarted later gets
// the same.
type Settings struct {
	Name string `json:"name"`
	// BinDir holds the programs.
	BinDir string `json:"binDir"`
	// Builtin is where the built-in StatefulSet controller runs.
	Builtin Builtin `json:"builtin"`
	// Nodes is the number of nodes, which are simulated unless they are Real.
	Nodes int `json:"nodes"`
	// Real nodes are kubelets with containerd, in namespaces of this machine.
	Real bool `json:"real,omitempty"`
	// Audit makes the API server log every request's metadata.
	Audit bool `json:"audit"`
	// FeatureGates goes to the API server and the controller manager as it is.
	FeatureGates string `json:"featureGates,omitempty"`
	// Ports are chosen once: an API server that is restarted has to come back
	// where its clients look for it.
	Ports Ports `json:"ports"`
}

// Instance is one control plane, with everything it has on disk in one folder.
type Instance struct {
	Settings
	dir string
}

var namePattern = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)

func checkName(name string) error {
	if !namePattern.MatchString(name) {
		return fmt.Errorf("instance name %q: want lower case letters, digits and dashes", name)
	}
	return nil
}

// ErrNoInstance is returned for a name that nothing is known of.
var ErrNoInstance = errors.New("no such instance")

// Load reads an instance of the state folder.
func Load(stateDir, name string) (*Instance, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(filepath.Join(stateDir, name))
	if err != nil {
		return nil, fmt.Errorf("locate instance %s: %w", name, err)
	}
	i := &Instance{dir: dir}
	data, err := os.ReadFile(i.path(settingsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s in %s", ErrNoInstance, name, stateDir)
	}
	if err != nil {
		return nil, fmt.Errorf("read instance %s: %w", name, err)
	}
	if err := json.Unmarshal(data, &i.Settings); err != nil {
		return nil, fmt.Errorf("read instance %s: %w", name, err)
	}
	return i, nil
}

// List returns the instances of the state folder by name.
func List(stateDir string) ([]*Instance, error) {
	found, err := filepath.Glob(filepath.Join(stateDir, "*", settingsFile))
	if err != nil {
		return nil, fmt.Errorf("list instances: %w", err)
	}
	var all []*Instance
	for _, file := range found {
		i, err := Load(stateDir, filepath.Base(filepath.Dir(file)))
		if err != nil {
			return nil, err
		}
		all = append(all, i)
	}
	return all, nil
}

func (i *Instance) save() error {
	data, err := json.MarshalIndent(i.Settings, "", "  ")
	if err != nil {
		return fmt.Errorf("save instance: %w", err)
	}
	return writeFile(i.path(settingsFile), append(data, '\n'))
}
