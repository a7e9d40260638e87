package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// user is whom the programs of images run as: a number, so that a cluster can tell that it is not root.
const user = "65532:65532"

// image holds one program and the licenses, and nothing else: no shell, no library, no other user.
func (r *release) image(program string, p platform, binary string) (v1.Image, error) {
	var files []entry
	for _, f := range []struct {
		name, from string
		mode       int64
	}{{program, binary, 0o555}, {"LICENSE", filepath.Join(r.root, "LICENSE"), 0o444}, {"NOTICES", r.out("NOTICES"), 0o444}} {
		e, err := file(f.name, f.from, f.mode)
		if err != nil {
			return nil, err
		}
		files = append(files, e)
	}
	data, err := tarballOf(files)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil })
	if err != nil {
		return nil, err
	}
	image, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture = p.os, p.arch
	config.Config.Entrypoint = []string{"/" + program}
	config.Config.User = user
	config.Config.Labels = map[string]string{
		"org.opencontainers.image.title":    program,
		"org.opencontainers.image.version":  r.version,
		"org.opencontainers.image.source":   "https://github.com/setplan/setplan",
		"org.opencontainers.image.licenses": "Apache-2.0",
	}
	return mutate.ConfigFile(image, config)
}

// writeImages writes the images of a program for all platforms as one index: an OCI layout in an archive, which crane, skopeo and
// podman push as it is.
func (r *release) writeImages(program string, binaries map[platform]string) error {
	folder := filepath.Join(r.work, "image-"+program)
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	index := v1.ImageIndex(empty.Index)
	for _, p := range r.platforms {
		if p.os != "linux" {
			continue
		}
		image, err := r.image(program, p, binaries[p])
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{
			Platform: &v1.Platform{OS: p.os, Architecture: p.arch}}})
	}
	path, err := layout.Write(folder, empty.Index)
	if err != nil {
		return err
	}
	tag := layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": r.version})
	if err := path.AppendIndex(index, tag); err != nil {
		return err
	}
	return r.archiveFolder(folder, program+"-"+r.version+".oci.tar")
}

// archiveFolder puts a folder into an archive, in the order of names.
func (r *release) archiveFolder(folder, name string) error {
	var files []entry
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		relative, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		e, err := file(filepath.ToSlash(relative), path, 0o644)
		files = append(files, e)
		return err
	})
	if err != nil {
		return err
	}
	data, err := tarballOf(files)
	if err != nil {
		return err
	}
	return os.WriteFile(r.out(name), data, 0o644)
}
