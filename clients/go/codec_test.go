package setplan

import (
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestCodecWritesWhatProtobufReads sends every recorded request through the client's codec.
func TestCodecWritesWhatProtobufReads(t *testing.T) {
	files, err := filepath.Glob("../../proto/testdata/wire/*plan-request*.binpb")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded requests: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, got := &setplanv1.PlanRequest{}, &setplanv1.PlanRequest{}
		if err := proto.Unmarshal(data, want); err != nil {
			t.Fatal(err)
		}
		sent, err := newWireCodec().Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if err := proto.Unmarshal(sent.Materialize(), got); err != nil || !proto.Equal(want, got) {
			t.Errorf("%s: %v\ngot  %v\nwant %v", file, err, got, want)
		}
		sent.Free()
	}
}
