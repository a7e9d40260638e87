package codec

import (
	"errors"
	"runtime"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/google/go-cmp/cmp"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// inParts is a request of a forecast whose start comes in parts of so many bytes, with another field between any two.
func inParts(start []byte, bytes int) (out []byte) {
	for len(start) > 0 {
		n := min(bytes, len(start))
		out = protowire.AppendBytes(protowire.AppendTag(out, startField, protowire.BytesType), start[:n])
		start = start[n:]
	}
	return protowire.AppendVarint(protowire.AppendTag(out, 2, protowire.VarintType), 7)
}

// TestForecastInParts: a start that comes in parts is joined by the rules of the encoding, and costs what its bytes cost, however many parts there are.
func TestForecastInParts(t *testing.T) {
	start := make([]byte, 1<<20)
	for i := range start {
		start[i] = byte(i)
	}
	for _, bytes := range []int{len(start), len(start)/2 + 1, 100, 1} {
		data := inParts(start, bytes)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, rest, err := SplitForecast(data, Limits{})
		runtime.ReadMemStats(&after)
		if err != nil || string(got) != string(start) || rest.GetMaxSteps() != 7 {
			t.Fatalf("parts of %d bytes: %d bytes, %v, %v", bytes, len(got), rest, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > uint64(2*len(data)) {
			t.Errorf("parts of %d bytes: %d bytes take %d", bytes, len(data), took)
		}
		looks := 0
		_, _, err = SplitForecast(data, Limits{Stop: func() bool { looks++; return true }})
		if few := len(start)/bytes < turnsAtOnce; few != (err == nil) || !few && (!errors.Is(err, ErrStopped) || looks != 1) {
			t.Errorf("parts of %d bytes: it looks %d times whether to stop: %v", bytes, looks, err)
		}
	}
	honest, err := proto.Marshal(&setplanv1.PlanRequest{Capabilities: []setplanv1.Capability{1, 2}, Snapshot: &setplanv1.Snapshot{Set: &setplanv1.StatefulSet{Name: "web"}}})
	if err != nil {
		t.Fatal(err)
	}
	data, whole, again := inParts(append(honest, honest...), len(honest)), &setplanv1.ForecastRequest{}, &setplanv1.PlanRequest{}
	joined, _, err := SplitForecast(data, Limits{})
	if err := errors.Join(err, proto.Unmarshal(data, whole), proto.Unmarshal(joined, again)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(whole.GetStart(), again, protocmp.Transform()); diff != "" {
		t.Error(diff)
	}
}
