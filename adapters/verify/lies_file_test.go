package verify

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// liesFile has the truths and lies of this package's tests for adapters in other languages.
const liesFile = "../../proto/testdata/lies.json"

var rewriteLies = flag.Bool("rewrite-lies", false, "write "+liesFile+" anew; \"make vectors\" does")

// longestTold is the longest stage in the file: a manifest of several MiB says nothing that its length does not say.
const longestTold = 64 << 10

// TestLiesFile: the file has what the tests here have.
func TestLiesFile(t *testing.T) {
	want := liesText(t)
	if *rewriteLies {
		if err := os.WriteFile(liesFile, want, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(liesFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the lies of this package are: run 'make vectors'", liesFile)
	}
}

func liesText(t *testing.T) []byte {
	text := fmt.Appendf(nil, "{\n\"about\": %q,\n\"snapshot\": %s,\n\"truths\": [", "Stages that an adapter carries out, and stages of which it must refuse an action, by the check in docs/adapter.md. "+
		"Where one has no snapshot of its own, the one here counts.", told(t, fixture()))
	separator := "\n"
	for _, of := range slices.Sorted(maps.Keys(truths)) {
		text = fmt.Appendf(text, "%s{\"about\": %q, %s}", separator, of, toldScene(t, truths[of]()))
		separator = ",\n"
	}
	text, separator = append(text, "\n],\n\"lies\": ["...), "\n"
	for _, l := range lies {
		scene := toldScene(t, l.scene())
		if len(scene) > longestTold {
			continue
		}
		text = fmt.Appendf(text, "%s{\"check\": %q, \"about\": %q, %s}", separator, l.check, l.of+": "+l.name, scene)
		separator = ",\n"
	}
	return append(text, "\n]\n}\n"...)
}

func toldScene(t *testing.T, s *scene) string {
	stage := &setplanv1.Stage{}
	if s.stage != nil {
		stage = proto.CloneOf(s.stage)
	}
	stage.Steps = []*setplanv1.Step{{Actions: []*setplanv1.Action{s.action}}}
	text := fmt.Sprintf("\"stage\": %s", told(t, stage))
	if s.snapshot != nil && !proto.Equal(s.snapshot, fixture()) {
		text += fmt.Sprintf(", \"snapshot\": %s", told(t, s.snapshot))
	}
	return text
}

// told is a message in protobuf's JSON, without the blanks that it has at random.
func told(t *testing.T, m proto.Message) string {
	text, err := protojson.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		t.Fatal(err)
	}
	return compact.String()
}
