package build

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Release is a release of Kubernetes and the module file that builds it: go.mod, or kubernetes-MINOR.mod for an earlier minor version.
type Release struct {
	Version string // as "1.37.2"
	file    string
}

// Find returns the release with this version, or go.mod's without one.
func Find(ctx context.Context, moduleDir, version string) (Release, error) {
	r := Release{file: "go.mod"}
	if parts := strings.Split(version, "."); len(parts) > 1 {
		file := "kubernetes-" + parts[0] + "." + parts[1] + ".mod"
		if _, err := os.Stat(filepath.Join(moduleDir, file)); err == nil {
			r.file = file
		}
	}
	list := exec.CommandContext(ctx, "go", "list", "-modfile="+r.file, "-m", "-f", "{{.Version}}", "k8s.io/kubernetes")
	list.Dir, list.Stderr = moduleDir, os.Stderr
	out, err := list.Output()
	if err != nil {
		return Release{}, fmt.Errorf("find k8s.io/kubernetes in %s: %w", r.file, err)
	}
	r.Version = strings.TrimPrefix(strings.TrimSpace(string(out)), "v")
	if version != "" && version != r.Version {
		return Release{}, fmt.Errorf("no module file here builds Kubernetes %q: %s is for %s", version, r.file, r.Version)
	}
	return r, nil
}

// ldflags makes the components report their version. Unstamped they would call themselves v0.0.0, and tests that look at the server's
// version would be misled.
func (r Release) ldflags() string {
	major, minor, _ := strings.Cut(r.Version, ".")
	minor, _, _ = strings.Cut(minor, ".")
	flags := []string{"-s", "-w"} // no debug information: it is linked sooner
	for _, pkg := range []string{"k8s.io/component-base/version", "k8s.io/client-go/pkg/version"} {
		flags = append(flags,
			"-X "+pkg+".gitVersion=v"+r.Version,
			"-X "+pkg+".gitMajor="+major,
			"-X "+pkg+".gitMinor="+minor,
			"-X "+pkg+".gitTreeState=clean",
		)
	}
	return strings.Join(flags, " ")
}
