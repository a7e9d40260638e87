// Command release makes what a release consists of, into a folder: programs, images, the chart, the manifest of the kubectl plugin,
// licenses, bills of materials, checksums. The same sources, version and go command give the same bytes. It publishes nothing.
package main

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
)

// release is one run.
type release struct {
	root      string // of the repository
	folder    string // where the release goes
	work      string // programs before they are packed
	version   string
	platforms []platform
}

func (r *release) out(name string) string { return filepath.Join(r.folder, name) }

// versions are those that Go, Helm and OCI accept alike.
var versions = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$`)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r := &release{platforms: platforms}
	flag.StringVar(&r.root, "root", ".", "root of the repository")
	flag.StringVar(&r.folder, "out", "bin/release", "folder that the release is written to; it is emptied first")
	flag.StringVar(&r.version, "version", "", "such as v0.2.0")
	only := flag.String("only", "", "build for one platform, such as linux_amd64, and make programs, images and chart only")
	unpack := flag.String("unpack", "", "unpack the images of a release in this folder for -only, and make nothing")
	flag.Parse()
	err := func() error {
		if *only != "" {
			r.platforms = slices.DeleteFunc(slices.Clone(platforms), func(p platform) bool { return p.String() != *only })
			if len(r.platforms) == 0 {
				return fmt.Errorf("-only %s is none of %v", *only, platforms)
			}
		}
		if *unpack != "" {
			return unpackImages(*unpack, r.folder)
		}
		if !versions.MatchString(r.version) {
			return fmt.Errorf("-version is %q: it must be like v0.2.0", r.version)
		}
		return r.run(ctx, *only == "")
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run makes the release; all of it, or what a local test of it needs.
func (r *release) run(ctx context.Context, all bool) (err error) {
	if r.root, err = filepath.Abs(r.root); err != nil {
		return err
	}
	if r.folder, err = filepath.Abs(r.folder); err != nil {
		return err
	}
	if err := os.RemoveAll(r.folder); err != nil {
		return err
	}
	if err := os.MkdirAll(r.folder, 0o755); err != nil {
		return err
	}
	if r.work, err = os.MkdirTemp("", "setplan-release-"); err != nil {
		return err
	}
	defer os.RemoveAll(r.work)
	if err := r.licenses(ctx); err != nil {
		return err
	}
	binaries := map[string]map[platform]string{}
	for _, program := range slices.Sorted(maps.Keys(programs)) {
		binaries[program] = map[platform]string{}
		for _, p := range r.platforms {
			if binaries[program][p], err = r.build(ctx, program, p); err != nil {
				return err
			}
		}
	}
	for _, program := range []string{"setplan-adapter", "setplan-server"} {
		if err := r.writeImages(program, binaries[program]); err != nil {
			return err
		}
	}
	if err := r.chart(ctx); err != nil {
		return err
	}
	if !all {
		return nil
	}
	if err := r.module(ctx); err != nil {
		return err
	}
	if err := r.archives(binaries); err != nil {
		return err
	}
	if err := r.materials(ctx, binaries); err != nil {
		return err
	}
	if err := r.plugin(); err != nil {
		return err
	}
	return r.sums()
}

// tool runs a program that this module's go.mod pins.
func (r *release) tool(ctx context.Context, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"tool", "-modfile=" + filepath.Join(r.root, "deploy", "release", "go.mod"), name}, args...)...)
	cmd.Dir = r.root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// sums writes the checksums of everything else, in the form of sha256sum.
func (r *release) sums() error {
	files, err := os.ReadDir(r.folder)
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, f := range files {
		data, err := os.ReadFile(r.out(f.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%x  %s\n", sha256.Sum256(data), f.Name())
	}
	return os.WriteFile(r.out("SHA256SUMS"), []byte(text.String()), 0o644)
}
