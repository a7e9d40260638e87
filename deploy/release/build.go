package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// platform is what a program is built for.
type platform struct{ os, arch string }

func (p platform) String() string { return p.os + "_" + p.arch }

// platforms are those of every release.
var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}}

// programs are what is released, by name, with their packages.
var programs = map[string]string{
	"setplan-server":  "./server/cmd/setplan-server",
	"setplan-adapter": "./adapters/kube/cmd/setplan-adapter",
	"setplan":         "./clients/cmd/setplan",
}

// module builds the planner as a module for programs in any language.
func (r *release) module(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-mod=readonly", "-buildmode=c-shared", "-o", r.out("setplan_"+r.version+".wasm"),
		"-gcflags", "google.golang.org/protobuf/...=-l", "-ldflags", "-s -w -buildid= -X github.com/setplan/setplan/server/version.release="+r.version, "./server/cmd/setplan-wasm")
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOOS=wasip1", "GOARCH=wasm", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the module: %w: %s", err, strings.TrimSpace(string(out)))
	}
	return nil
}

// build compiles a program. The bytes depend on the sources, the version and the go command, and on nothing else: no path, no time, no
// C compiler, no state of the checkout.
func (r *release) build(ctx context.Context, program string, p platform) (string, error) {
	output := filepath.Join(r.work, p.String(), program)
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-mod=readonly", "-o", output,
		"-ldflags", "-s -w -buildid= -X github.com/setplan/setplan/server/version.release="+r.version, programs[program])
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOOS="+p.os, "GOARCH="+p.arch, "GOAMD64=v1", "GOARM64=v8.0", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s for %s: %w: %s", program, p, err, strings.TrimSpace(string(out)))
	}
	return output, nil
}
