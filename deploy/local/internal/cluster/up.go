package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"
)

// ErrUp is returned when an instance of the name runs already.
var ErrUp = errors.New("instance is up already")

// Up starts a new instance and returns when it takes work. When it fails,
// nothing is left running, and the logs are left to be read.
func Up(ctx context.Context, stateDir string, s Settings) (*Instance, error) {
	i, unlock, err := create(stateDir, s)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := i.bringUp(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("instance %s: %w", s.Name, err), i.stopAll())
	}
	return i, nil
}

// create makes the instance's folder, and returns it locked. What is left of an
// instance that runs no more is cleared away.
func create(stateDir string, s Settings) (*Instance, func(), error) {
	if err := checkName(s.Name); err != nil {
		return nil, nil, err
	}
	unlockDir, err := lockStateDir(stateDir)
	if err != nil {
		return nil, nil, err
	}
	defer unlockDir()

	dir, err := filepath.Abs(filepath.Join(stateDir, s.Name))
	if err != nil {
		return nil, nil, fmt.Errorf("locate instance %s: %w", s.Name, err)
	}
	i := &Instance{Settings: s, dir: dir}
	if err := i.checkDir(); err != nil {
		return nil, nil, err
	}
	if err := i.clear(); err != nil {
		return nil, nil, err
	}
	others, err := List(stateDir)
	if err != nil {
		return nil, nil, err
	}
	var taken []Ports
	for _, other := range others {
		taken = append(taken, other.Ports)
	}
	if i.Ports, err = pickPorts(taken); err != nil {
		return nil, nil, err
	}
	if err := i.makeDirs(); err != nil {
		return nil, nil, err
	}
	if err := i.save(); err != nil {
		return nil, nil, err
	}
	unlock, err := i.lock()
	if err != nil {
		return nil, nil, err
	}
	return i, unlock, nil
}

// clear removes a folder that no process belongs to any more. It touches only
// folders that this program has made: a name may be anything.
func (i *Instance) clear() error {
	if _, err := os.Stat(i.dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, err := os.Stat(i.path(settingsFile)); err != nil {
		return fmt.Errorf("%s is not the folder of an instance: %w", i.dir, err)
	}
	unlock, err := i.lock()
	if err != nil {
		return fmt.Errorf("instance %s: %w", i.Name, err)
	}
	defer unlock()
	running, err := i.Running()
	if err != nil {
		return err
	}
	if len(running) > 0 {
		return fmt.Errorf("%w: %s, its kubeconfig is %s", ErrUp, i.Name, i.Kubeconfig())
	}
	if err := os.RemoveAll(i.dir); err != nil {
		return fmt.Errorf("clear what is left of instance %s: %w", i.Name, err)
	}
	return nil
}

func (i *Instance) makeDirs() error {
	for _, dir := range []string{logsDir, certsDir, filepath.Dir(kubeconfigOf(Kwok)), volumesDir} {
		if err := os.MkdirAll(i.path(dir), 0o755); err != nil {
			return fmt.Errorf("make folder of instance %s: %w", i.Name, err)
		}
	}
	return nil
}

// bringUp starts the components in order. The kubeconfigs come after the API
// server, because it makes the certificate that they trust.
func (i *Instance) bringUp(ctx context.Context) error {
	users := newUsers()
	if err := i.writeConfig(users); err != nil {
		return err
	}
	began := time.Now()
	for _, c := range i.Components() {
		if err := i.start(ctx, c); err != nil {
			return err
		}
		if c == APIServer {
			if err := i.writeKubeconfigs(users); err != nil {
				return err
			}
			if err := i.createObjects(ctx, users[0].token); err != nil {
				return err
			}
		}
		slog.Info("ready", "instance", i.Name, "component", c, "after", time.Since(began).Round(100*time.Millisecond))
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if err := poll(ctx, func() error { return i.populated(ctx, users[0].token) }); err != nil {
		return fmt.Errorf("wait for nodes and the default account: %w", err)
	}
	slog.Info("up", "instance", i.Name, "after", time.Since(began).Round(100*time.Millisecond))
	return nil
}

// writeConfig makes the files that the components are started with.
func (i *Instance) writeConfig(users []user) error {
	key, err := accountKey()
	if err != nil {
		return err
	}
	stages, err := stages()
	if err != nil {
		return err
	}
	files := map[string][]byte{
		tokensFile:      tokens(users),
		accountKeyFile:  key,
		stagesFile:      stages,
		auditPolicyFile: []byte(auditPolicy),
		portFile:        fmt.Appendln(nil, i.Ports.APIServer),
		egressFile:      fmt.Appendf(nil, egress, i.path(networkSocket)),
	}
	for name, data := range files {
		if err := writeFile(i.path(name), data); err != nil {
			return err
		}
	}
	return nil
}
