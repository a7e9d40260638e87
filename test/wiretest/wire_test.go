// Package wiretest holds the tests of the contract's bytes: fixtures that every later release must decode to the same messages, and the
// cost of a pod.
package wiretest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/setplan/setplan/test/need"
)

const (
	wireDir  = "../../proto/testdata/wire"
	sumsName = "SUMS"
)

var release = flag.String("release", "", "write fixtures of this coming release, such as v0.2.0, for what no fixture has; never changes a file")

// TestFixtures holds every frozen file to its message. A fixture is two files: the bytes, and the message as protobuf's JSON, whose
// reading is stable.
func TestFixtures(t *testing.T) {
	if *release != "" {
		freezeNew(t)
	}
	sums := readSums(t)
	if len(sums) == 0 {
		t.Fatal("there is no fixture")
	}
	for file, sum := range sums {
		data, err := os.ReadFile(filepath.Join(wireDir, file))
		if err != nil {
			t.Errorf("a frozen fixture cannot be read: %v", err)
		} else if got := sumOf(data); got != sum {
			t.Errorf("the SHA-256 of %s is %s and %s says %s: a frozen fixture never changes; add a new one", file, got, sumsName, sum)
		}
	}
	for _, name := range frozen(t) {
		t.Run(name, func(t *testing.T) { check(t, name) })
	}
}

func check(t *testing.T, name string) {
	want := messageOf(t, name)
	got := decode(t, want, read(t, name+".binpb"))
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
		t.Errorf("the frozen bytes decode to another message than they were made from (-made from +decoded):\n%s", diff)
	}
	// Both were read by the contract of today: a zero whose presence it has lost, or a number of another size, shows in the text only.
	if diff := cmp.Diff(string(read(t, name+".json")), string(textOf(t, got))); diff != "" {
		t.Errorf("the frozen bytes have another text than they were frozen with (-frozen +today):\n%s", diff)
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

// versioned is the beginning of a fixture's name.
var versioned = regexp.MustCompile(`^v\d+\.\d+\.\d+-`)

// kindOf says which message a fixture holds: the name after its release, without what comes behind the kind.
func kindOf(t *testing.T, name string) proto.Message {
	t.Helper()
	rest := versioned.ReplaceAllString(name, "")
	for kind, message := range kinds {
		if (rest == kind || strings.HasPrefix(rest, kind+"-")) && rest != name {
			return message.ProtoReflect().New().Interface()
		}
	}
	t.Fatalf("fixture %s is called neither after a release nor after a message", name)
	return nil
}

// messageOf is the message that a fixture was made from. A name that the contract has no more is an error.
func messageOf(t *testing.T, name string) proto.Message {
	t.Helper()
	message := kindOf(t, name)
	if err := protojson.Unmarshal(read(t, name+".json"), message); err != nil {
		t.Fatalf("%s.json: %v", name, err)
	}
	return message
}

// frozen lists the fixtures.
func frozen(t *testing.T) []string {
	t.Helper()
	files := need.Value(filepath.Glob(filepath.Join(wireDir, "*.binpb")))(t)
	names := make([]string, len(files))
	for i, file := range files {
		names[i] = strings.TrimSuffix(filepath.Base(file), ".binpb")
	}
	return names
}

// TestFilesAreListed finds files that nobody vouches for.
func TestFilesAreListed(t *testing.T) {
	sums := readSums(t)
	files := need.Value(os.ReadDir(wireDir))(t)
	for _, file := range files {
		if _, ok := sums[file.Name()]; !ok && file.Name() != sumsName {
			t.Errorf("%s is not in %s", file.Name(), sumsName)
		}
	}
}

// freezeNew writes a fixture for each message that has something of the contract in it that no fixture has.
func freezeNew(t *testing.T) {
	t.Helper()
	seen := covered{}
	for _, name := range frozen(t) {
		seen.message(messageOf(t, name).ProtoReflect())
	}
	all := everything()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		before := len(seen)
		seen.message(all[name].ProtoReflect())
		if len(seen) > before {
			freeze(t, *release+"-"+name, all[name])
		}
	}
}

// freeze writes a new fixture and its lines in SUMS. If the release has one of this name already, the name gets a number.
func freeze(t *testing.T, name string, message proto.Message) {
	t.Helper()
	kindOf(t, name)
	taken := frozen(t)
	for first, n := name, 2; slices.Contains(taken, name); n++ {
		name = fmt.Sprint(first, "-", n)
	}
	data := need.Value(proto.MarshalOptions{Deterministic: true}.Marshal(message))(t)
	list := func(file string, data []byte) {
		write(t, file, os.O_EXCL, data)
		write(t, sumsName, os.O_APPEND, fmt.Appendf(nil, "%s  %s\n", sumOf(data), file))
	}
	list(name+".binpb", data)
	list(name+".json", textOf(t, message))
}

// textOf is a message as JSON, the same every time.
func textOf(t *testing.T, message proto.Message) []byte {
	t.Helper()
	text := need.Value(protojson.Marshal(message))(t)
	var plain, indented bytes.Buffer // protobuf's JSON has blanks by chance
	need.NoError(t, errors.Join(json.Compact(&plain, text), json.Indent(&indented, plain.Bytes(), "", " ")))
	return append(indented.Bytes(), '\n')
}

// readSums reads lines as sha256sum writes them.
func readSums(t *testing.T) map[string]string {
	t.Helper()
	sums := map[string]string{}
	data, err := os.ReadFile(filepath.Join(wireDir, sumsName))
	if errors.Is(err, fs.ErrNotExist) {
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

func read(t *testing.T, name string) []byte {
	t.Helper()
	data := need.Value(os.ReadFile(filepath.Join(wireDir, name)))(t)
	return data
}

func write(t *testing.T, name string, how int, data []byte) {
	t.Helper()
	need.NoError(t, os.MkdirAll(wireDir, 0o755))
	file := need.Value(os.OpenFile(filepath.Join(wireDir, name), os.O_CREATE|os.O_WRONLY|how, 0o644))(t)
	need.Value(file.Write(data))(t)
	need.NoError(t, file.Close())
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
