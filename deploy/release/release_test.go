package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestTwice makes a release for one platform from two folders: the bytes must not tell where and when they were made. `make
// release-twice` does it for all platforms, with an empty build cache.
func TestTwice(t *testing.T) {
	var sums []string
	for _, root := range []string{"../..", copyOf(t, "../..")} {
		r := &release{root: root, folder: filepath.Join(t.TempDir(), "release"), version: "v0.0.1", platforms: []platform{{"linux", runtime.GOARCH}}}
		if err := r.run(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(r.out("SHA256SUMS"))
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, string(text))
		contents(t, r)
	}
	if sums[0] != sums[1] {
		t.Errorf("two builds differ:\n%s\n%s", sums[0], sums[1])
	}
}

// contents checks what every release has to have.
func contents(t *testing.T, r *release) {
	t.Helper()
	p := r.platforms[0]
	files, err := os.ReadDir(r.folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	want := []string{"NOTICES", "SHA256SUMS", "krew.yaml",
		archiveName("kubectl-setplan", r.version, p), archiveName("setplan", r.version, p), "setplan-0.0.1.tgz",
		"setplan-adapter-v0.0.1.oci.tar", "setplan-adapter_v0.0.1_" + p.String() + ".cdx.json",
		"setplan-server-v0.0.1.oci.tar", "setplan-server_v0.0.1_" + p.String() + ".cdx.json",
		"setplan_v0.0.1_" + p.String() + ".cdx.json", "setplan_v0.0.1.wasm"}
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("the release has %v, want %v", names, want)
	}
	for file, part := range map[string]string{
		"NOTICES":   "google.golang.org/grpc v",
		"krew.yaml": "uri: https://github.com/setplan/setplan/releases/download/v0.0.1/kubectl-setplan_v0.0.1_linux_",
		"setplan-server_v0.0.1_" + p.String() + ".cdx.json": "pkg:golang/google.golang.org/grpc@",
	} {
		text, err := os.ReadFile(r.out(file))
		if err != nil || !strings.Contains(string(text), part) {
			t.Errorf("%s has no %q: %v", file, part, err)
		}
	}
	images := t.TempDir()
	if err := unpackImages(r.folder, images); err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"setplan-adapter", "setplan-server"} {
		image := filepath.Join(images, program+":v0.0.1")
		var config struct {
			User       string
			Entrypoint []string
		}
		data, err := os.ReadFile(filepath.Join(image, "config.json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &config); err != nil || config.User != user || !slices.Equal(config.Entrypoint, []string{"/" + program}) {
			t.Errorf("%s runs %v as %s: %v", program, config.Entrypoint, config.User, err)
		}
		files, err := os.ReadDir(filepath.Join(image, "rootfs"))
		if err != nil || len(files) != 3 {
			t.Errorf("%s holds %v: %v", program, files, err)
		}
	}
}

// copyOf is the checkout under another path.
func copyOf(t *testing.T, root string) string {
	t.Helper()
	folder := t.TempDir()
	for _, part := range []string{"engine", "server", "adapters", "clients", "proto", "deploy", "go.mod", "go.sum", "LICENSE"} {
		from := filepath.Join(root, part)
		info, err := os.Stat(from)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(folder, part)
		if !info.IsDir() {
			data, err := os.ReadFile(from)
			if err == nil {
				err = os.WriteFile(to, data, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}
