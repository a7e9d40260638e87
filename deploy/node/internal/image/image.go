// Package image makes images of files of this machine: the programs of a test, or those of a Debian package with the libraries that they need.
package image

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// Image is what Write makes.
type Image struct {
	Names      []string          // as setplan.local/etcd:1; more than one have the same digest
	Files      map[string]string // where in the image: a file or folder of this machine
	Libraries  bool              // with the shared libraries of each program, as ldd names them
	Entrypoint []string
	Env        []string
	User       string
	Labels     map[string]string // two images that differ in a label have different digests
}

// Write makes the image, as an archive that Load takes.
func (i Image) Write(archive string) error {
	layer, err := i.layer()
	if err != nil {
		return err
	}
	opener := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(layer)), nil }
	content, err := tarball.LayerFromOpener(opener, tarball.WithCompressionLevel(1))
	if err != nil {
		return err
	}
	image, err := mutate.AppendLayers(empty.Image, content)
	if err != nil {
		return err
	}
	file, err := image.ConfigFile()
	if err != nil {
		return err
	}
	file = file.DeepCopy()
	file.OS, file.Architecture = "linux", runtime.GOARCH
	file.Config = v1.Config{Entrypoint: i.Entrypoint, Env: i.Env, User: i.User, Labels: i.Labels}
	if image, err = mutate.ConfigFile(image, file); err != nil {
		return err
	}
	images := map[name.Tag]v1.Image{}
	for _, n := range i.Names {
		tag, err := name.NewTag(n, name.StrictValidation)
		if err != nil {
			return err
		}
		images[tag] = image
	}
	return tarball.MultiWriteToFile(archive, images)
}

// layer is a tar of the files, each by itself the same however often it is made.
func (i Image) layer() ([]byte, error) {
	files := map[string]string{}
	for in, from := range i.Files {
		err := filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			rest, err := filepath.Rel(from, p)
			if err != nil {
				return err
			}
			files[path.Join(in, rest)] = p
			if i.Libraries {
				return addLibraries(files, p)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	names := make([]string, 0, len(files))
	for in := range files {
		names = append(names, in)
	}
	slices.Sort(names)
	for _, in := range names {
		if err := add(w, in, files[in]); err != nil {
			return nil, fmt.Errorf("add %s: %w", files[in], err)
		}
	}
	// A place for temporary files, as programs expect it.
	if err := w.WriteHeader(&tar.Header{Name: "tmp/", Typeflag: tar.TypeDir, Mode: 0o1777}); err != nil {
		return nil, err
	}
	return out.Bytes(), w.Close()
}

func add(w *tar.Writer, in, from string) error {
	info, err := os.Stat(from) // what a link leads to
	if err != nil {
		return err
	}
	header := &tar.Header{Name: in[1:], Typeflag: tar.TypeReg, Mode: int64(info.Mode().Perm()), Size: info.Size()}
	if err := w.WriteHeader(header); err != nil {
		return err
	}
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

var library = regexp.MustCompile(`(?m)(?:=> |^\s*)(/\S+) \(0x`)

func addLibraries(files map[string]string, program string) error {
	out, err := exec.Command("ldd", program).Output()
	if err != nil {
		return nil // no program, or one that needs none
	}
	for _, found := range library.FindAllSubmatch(out, -1) {
		files[string(found[1])] = string(found[1])
	}
	return nil
}
