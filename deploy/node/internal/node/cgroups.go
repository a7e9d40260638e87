package node

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// cgroupRoot is where distributions mount control groups: one hierarchy, or with version 1 a folder for each.
const cgroupRoot = "/sys/fs/cgroup"

// hierarchies are the folders that a control group is made in.
func hierarchies() ([]string, error) {
	if _, err := os.Stat(filepath.Join(cgroupRoot, "cgroup.controllers")); err == nil {
		return []string{cgroupRoot}, nil
	}
	found, err := filepath.Glob(filepath.Join(cgroupRoot, "*", "cgroup.procs"))
	if err != nil || len(found) == 0 {
		return nil, fmt.Errorf("no control groups are mounted at %s", cgroupRoot)
	}
	var all []string
	for _, file := range found {
		all = append(all, filepath.Dir(file))
	}
	return all, nil
}

func makeCgroups(name string) error {
	all, err := hierarchies()
	if err != nil {
		return err
	}
	for _, hierarchy := range all {
		group := filepath.Join(hierarchy, name)
		if err := os.Mkdir(group, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("make control group: %w", err)
		}
		// With version 1 a new group has no processor until it is given some.
		for _, file := range []string{"cpuset.cpus", "cpuset.mems"} {
			data, err := os.ReadFile(filepath.Join(hierarchy, file))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err == nil {
				err = os.WriteFile(filepath.Join(group, file), data, 0)
			}
			if err != nil {
				return fmt.Errorf("set up control group: %w", err)
			}
		}
	}
	return nil
}

// ClearCgroups removes a control group with all below it. Processes of it may take a moment to be gone.
func ClearCgroups(name string) error {
	all, err := hierarchies()
	if err != nil {
		return err
	}
	deadline := time.Now().Add(10 * time.Second)
	for _, hierarchy := range all {
		if err := clearCgroup(filepath.Join(hierarchy, name), deadline); err != nil {
			return fmt.Errorf("remove control group: %w", err)
		}
	}
	return nil
}

func clearCgroup(group string, deadline time.Time) error {
	for ; ; time.Sleep(50 * time.Millisecond) {
		var groups []string
		err := filepath.WalkDir(group, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				groups = append(groups, path)
			}
			return nil // a group that is already gone is fine
		})
		for _, path := range slices.Backward(groups) {
			if e := os.Remove(path); e != nil && !errors.Is(e, fs.ErrNotExist) {
				err = e
			}
		}
		if err == nil || !errors.Is(err, syscall.EBUSY) || time.Now().After(deadline) {
			return err
		}
	}
}
