package main

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

//go:embed notices.tpl
var notices []byte

// licenses writes NOTICES: every module that is linked into a program, with the text of its license. It fails where a license is
// unknown, or is of a sort that a binary under Apache-2.0 cannot carry.
func (r *release) licenses(ctx context.Context) error {
	form := filepath.Join(r.work, "notices.tpl")
	if err := os.WriteFile(form, notices, 0o600); err != nil {
		return err
	}
	packages := slices.Sorted(maps.Values(programs))
	own := []string{"--ignore", "github.com/setplan/setplan"}
	check := append(append([]string{"check", "--disallowed_types=forbidden,restricted,reciprocal,unknown"}, own...), packages...)
	if err := r.tool(ctx, "go-licenses", check...); err != nil {
		return err
	}
	// Only its output, so that what it says of its work does not get into the file.
	args := append([]string{"tool", "-modfile=" + filepath.Join(r.root, "deploy", "release", "go.mod"), "go-licenses", "report", "--template", form}, own...)
	cmd := exec.CommandContext(ctx, "go", append(args, packages...)...)
	cmd.Dir = r.root
	text, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go-licenses report: %w", err)
	}
	return os.WriteFile(r.out("NOTICES"), text, 0o644)
}

// archives writes what people download: all programs of a platform, and the kubectl plugin alone.
func (r *release) archives(binaries map[string]map[platform]string) error {
	for _, p := range r.platforms {
		common := []entry{}
		for _, name := range []string{"LICENSE", "NOTICES"} {
			from := map[string]string{"LICENSE": filepath.Join(r.root, "LICENSE"), "NOTICES": r.out("NOTICES")}[name]
			e, err := file(name, from, 0o644)
			if err != nil {
				return err
			}
			common = append(common, e)
		}
		all := slices.Clone(common)
		for _, program := range slices.Sorted(maps.Keys(programs)) {
			e, err := file(program, binaries[program][p], 0o755)
			if err != nil {
				return err
			}
			all = append(all, e)
		}
		plugin := all[len(common)] // setplan, the first by name
		plugin.name = "kubectl-setplan"
		for name, files := range map[string][]entry{"setplan": all, "kubectl-setplan": append(common, plugin)} {
			data, err := tarballOf(files)
			if err != nil {
				return err
			}
			if data, err = compressed(data); err != nil {
				return err
			}
			if err := os.WriteFile(r.out(archiveName(name, r.version, p)), data, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

func archiveName(program, version string, p platform) string {
	return fmt.Sprintf("%s_%s_%s.tar.gz", program, version, p)
}

// materials writes a bill of materials of each program, in CycloneDX, from what the linker has recorded in the program itself.
func (r *release) materials(ctx context.Context, binaries map[string]map[platform]string) error {
	for _, program := range slices.Sorted(maps.Keys(programs)) {
		for _, p := range r.platforms {
			output := r.out(fmt.Sprintf("%s_%s_%s.cdx.json", program, r.version, p))
			if err := r.tool(ctx, "cyclonedx-gomod", "bin", "-json", "-noserial", "-notimestamp", "-std", "-version", r.version, "-output", output,
				binaries[program][p]); err != nil {
				return err
			}
		}
	}
	return nil
}

// chart packs the chart with the release's version, and packs it again without Helm's times.
func (r *release) chart(ctx context.Context) error {
	version := strings.TrimPrefix(r.version, "v")
	if err := r.tool(ctx, "helm", "package", "deploy/chart", "--destination", r.folder, "--version", version, "--app-version", r.version); err != nil {
		return err
	}
	name := r.out("setplan-" + version + ".tgz")
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	files, err := readTarball(data)
	if err != nil {
		return err
	}
	slices.SortStableFunc(files, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	for i := range files {
		files[i].mode = 0o644
	}
	if data, err = tarballOf(files); err != nil {
		return err
	}
	if data, err = compressed(data); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

//go:embed krew.tpl
var krew string

// plugin writes the manifest by which krew installs the kubectl plugin.
func (r *release) plugin() error {
	type download struct{ OS, Arch, File, Sum string }
	var all []download
	for _, p := range r.platforms {
		name := archiveName("kubectl-setplan", r.version, p)
		data, err := os.ReadFile(r.out(name))
		if err != nil {
			return err
		}
		all = append(all, download{p.os, p.arch, name, fmt.Sprintf("%x", sha256.Sum256(data))})
	}
	var text strings.Builder
	form := template.Must(template.New("krew").Parse(krew))
	if err := form.Execute(&text, map[string]any{"Version": r.version, "Downloads": all}); err != nil {
		return err
	}
	return os.WriteFile(r.out("krew.yaml"), []byte(text.String()), 0o644)
}
