// Package wiretest holds the tests of the contract's bytes: fixtures that every
// later release must decode to the same messages, and the cost of a pod.
package wiretest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
)

const (
	wireDir  = "../testdata/wire"
	sumsName = "SUMS"
)

var updateNew = flag.Bool("update-new", false, "write fixtures that have no file yet; never changes a file")

// TestFixtures holds every frozen file to the message it was made from. The
// messages stand in Go because protobuf's text and JSON forms are not stable.
func TestFixtures(t *testing.T) {
	sums := readSums(t)
	for _, name := range slices.Sorted(maps.Keys(fixtures)) {
		want := fixtures[name]()
		if _, frozen := sums[name]; !frozen {
			if !*updateNew {
				t.Errorf("%s is not in %s: freeze it with 'make fixtures'", name, sumsName)
				continue
			}
			sums[name] = freeze(t, name, want)
		}
		t.Run(name, func(t *testing.T) { check(t, name, sums[name], want) })
	}
	for name := range sums {
		if _, ok := fixtures[name]; !ok {
			t.Errorf("%s is frozen and has no message in fixtures: a fixture is never dropped", name)
		}
	}
}

func check(t *testing.T, name, sum string, want proto.Message) {
	data, err := os.ReadFile(filepath.Join(wireDir, name))
	if err != nil {
		t.Fatalf("a frozen fixture cannot be read: %v", err)
	}
	if got := sumOf(data); got != sum {
		t.Errorf("the file's SHA-256 is %s and %s says %s: a frozen fixture never changes; add a new one", got, sumsName, sum)
	}
	got := decode(t, want, data)
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
		t.Errorf("the frozen bytes decode to another message than they were made from (-made from +decoded):\n%s", diff)
	}
	again, err := proto.Marshal(got)
	if err != nil {
		t.Fatalf("encode what was decoded: %v", err)
	}
	if diff := cmp.Diff(got, decode(t, want, again), protocmp.Transform()); diff != "" {
		t.Errorf("encoding and decoding changes the message (-before +after):\n%s", diff)
	}
}

func decode(t *testing.T, like proto.Message, data []byte) proto.Message {
	t.Helper()
	got := like.ProtoReflect().New().Interface()
	if err := proto.Unmarshal(data, got); err != nil {
		t.Fatalf("decode: %v", err)
	}
	return got
}

// TestFilesAreListed finds files that nobody vouches for.
func TestFilesAreListed(t *testing.T) {
	sums := readSums(t)
	files, err := os.ReadDir(wireDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if _, ok := sums[file.Name()]; !ok && file.Name() != sumsName {
			t.Errorf("%s is not in %s", file.Name(), sumsName)
		}
	}
}

// readSums reads lines as sha256sum writes them.
func readSums(t *testing.T) map[string]string {
	t.Helper()
	sums := map[string]string{}
	data, err := os.ReadFile(filepath.Join(wireDir, sumsName))
	if errors.Is(err, fs.ErrNotExist) && *updateNew {
		return sums
	}
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok {
			t.Fatalf("%s has the malformed line %q", sumsName, line)
		}
		sums[name] = sum
	}
	return sums
}

// freeze writes a new fixture and its line in SUMS. It fails if there is a file
// already.
func freeze(t *testing.T, name string, message proto.Message) (sum string) {
	t.Helper()
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	write(t, name, os.O_EXCL, data)
	sum = sumOf(data)
	write(t, sumsName, os.O_APPEND, fmt.Appendf(nil, "%s  %s\n", sum, name))
	return sum
}

func write(t *testing.T, name string, how int, data []byte) {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(wireDir, name), os.O_CREATE|os.O_WRONLY|how, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
