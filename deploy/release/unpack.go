package main

import (
	"archive/tar"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
)

// unpackImages unpacks every image of a release for this machine: its files into to/NAME:VERSION/rootfs, and its config beside them.
func unpackImages(releaseFolder, to string) error {
	archives, err := filepath.Glob(filepath.Join(releaseFolder, "*.oci.tar"))
	if err != nil {
		return err
	}
	if len(archives) == 0 {
		return fmt.Errorf("no images in %s", releaseFolder)
	}
	for _, archive := range archives {
		if err := unpackImage(archive, to); err != nil {
			return fmt.Errorf("%s: %w", archive, err)
		}
	}
	return nil
}

func unpackImage(archive, to string) error {
	folder, err := os.MkdirTemp("", "setplan-image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := extract(f, folder); err != nil {
		return err
	}
	image, err := imageOf(folder)
	if err != nil {
		return err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return err
	}
	labels := config.Config.Labels
	name := filepath.Join(to, labels["org.opencontainers.image.title"]+":"+labels["org.opencontainers.image.version"])
	if err := os.RemoveAll(name); err != nil {
		return err
	}
	files := mutate.Extract(image)
	defer files.Close()
	if err := extract(files, filepath.Join(name, "rootfs")); err != nil {
		return err
	}
	data, err := json.Marshal(config.Config)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(name, "config.json"), data, 0o644)
}

// imageOf is the image for this machine in an OCI layout.
func imageOf(folder string) (v1.Image, error) {
	all, err := layout.ImageIndexFromPath(folder)
	if err != nil {
		return nil, err
	}
	outer, err := all.IndexManifest()
	if err != nil {
		return nil, err
	}
	index, err := all.ImageIndex(outer.Manifests[0].Digest)
	if err != nil {
		return nil, err
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		return nil, err
	}
	for _, m := range manifest.Manifests {
		if m.Platform != nil && m.Platform.OS == "linux" && m.Platform.Architecture == runtime.GOARCH {
			return index.Image(m.Digest)
		}
	}
	return nil, errors.New("it has no image for this machine")
}

// extract writes the files of an archive into a folder, and nothing outside of it.
func extract(from io.Reader, folder string) error {
	root := filepath.Clean(folder) + string(filepath.Separator)
	for archive := tar.NewReader(from); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name := filepath.Join(folder, header.Name)
		if !strings.HasPrefix(name, root) || header.Typeflag != tar.TypeReg {
			return fmt.Errorf("%s is no file in the archive", header.Name)
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		data, err := io.ReadAll(archive)
		if err != nil {
			return err
		}
		if err := os.WriteFile(name, data, os.FileMode(header.Mode).Perm()); err != nil {
			return err
		}
		if err := os.Chmod(name, os.FileMode(header.Mode).Perm()); err != nil {
			return err
		}
	}
}
