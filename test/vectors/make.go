package vectors

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	files "github.com/setplan/setplan/proto/vectors"
)

// Folder is where the stored vectors stand, from the root of the repository.
const Folder = "proto/testdata/vectors"

// Status is the area of the vectors that depend on the state of a server; the tests of the server hold and write them.
const Status = "status/"

// MaxFile is the size of the largest file that is stored, and MaxTotal that of all of them, in bytes; MaxStored is how many there are.
const (
	MaxFile   = 800_000
	MaxTotal  = 2_000_000
	MaxStored = 100
)

// Make makes all vectors but those of Status. root is the root of the repository.
func Make(ctx context.Context, root string) (made []*files.Vector, err error) {
	var drafts []*draft
	for _, area := range []func() ([]*draft, error){
		func() ([]*draft, error) { return fromStories(filepath.Join(root, "test/story/testdata/stories")) },
		func() ([]*draft, error) { return fromCorpus(filepath.Join(root, "engine/testdata/corpus")) },
		func() ([]*draft, error) { return fromStuck(filepath.Join(root, "clients/cli/testdata/stuck.yaml")) },
		withPolicies, withAnnotations, withCapabilities, withOddObjects, withTruncation, withOwnKind, withOddJSON, withLater, withErrors,
	} {
		more, err := area()
		if err != nil {
			return nil, err
		}
		drafts = append(drafts, more...)
	}
	planners := newPlanners()
	defer func() { err = errors.Join(err, planners.close()) }()
	for _, d := range drafts {
		v, err := planners.answer(ctx, d)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
		if refused := v.Error != nil; refused != strings.HasPrefix(v.Name, "errors/") {
			return nil, fmt.Errorf("%s: %+v; only vectors of errors/ are refused, and all of them", v.Name, v.Error)
		}
		made = append(made, v)
	}
	slices.SortFunc(made, func(a, b *files.Vector) int { return strings.Compare(a.Name, b.Name) })
	for i := 1; i < len(made); i++ {
		if made[i].Name == made[i-1].Name {
			return nil, fmt.Errorf("two vectors are called %s", made[i].Name)
		}
	}
	return made, nil
}
