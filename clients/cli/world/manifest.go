package world

import (
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// ReadManifest reads one set, of any kind, from a file in YAML or JSON. Other objects in the file are an error: which of them counts would be
// a guess.
func ReadManifest(path string, stdin io.Reader) (*unstructured.Unstructured, error) {
	name := path
	if path == Stdin {
		name = "standard input"
	}
	text, err := readAll(path, stdin)
	if err != nil {
		return nil, err
	}
	all, err := documents(text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case len(all) != 1:
		return nil, fmt.Errorf("%s holds %d documents; it must be the manifest of one set", name, len(all))
	}
	set := &unstructured.Unstructured{}
	if err := utiljson.Unmarshal(all[0].json, &set.Object); err != nil {
		return nil, fmt.Errorf("%s: %w", name, noObject(err))
	}
	if set.GetKind() == "" || set.GetAPIVersion() == "" || set.GetName() == "" {
		return nil, fmt.Errorf("%s: %w", name, errNoManifest)
	}
	return set, nil
}

var errNoManifest = errors.New("a manifest has an apiVersion, a kind and metadata.name")

func readAll(path string, stdin io.Reader) ([]byte, error) {
	if path == Stdin {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(path)
}
