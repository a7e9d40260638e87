package server

import (
	"fmt"
	"runtime"
	"strconv"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// The bounds are the same for every method of the service. A method that comes later is held to them from its first day: it needs a row here.

// bounded is what a test knows of a method.
type boundedMethod struct {
	whole proto.Message // a valid request
	// costly is one that takes work, or has a long answer; nil: no request does.
	costly proto.Message
}

func rowsOfMethods() map[protoreflect.Name]boundedMethod {
	many := request()
	many.Snapshot.Set.PodManagementPolicy = "Parallel"
	many.Snapshot.Set.Replicas = proto.Int32(20_000)
	for i := range 20_000 {
		many.Snapshot.Pods = append(many.Snapshot.Pods, &setplanv1.Pod{Name: "web-" + strconv.Itoa(20_000+i), Uid: strconv.Itoa(i)})
	}
	grows := comingUp(8000)
	grows.Start.Snapshot.Set.PodManagementPolicy = "Parallel"
	return map[protoreflect.Name]boundedMethod{
		"Plan":          {request(), many},
		"Forecast":      {comingUp(1), grows},
		"GetServerInfo": {&setplanv1.GetServerInfoRequest{}, nil},
	}
}

// eachMethod calls f for each method of the service.
func eachMethod(t *testing.T, f func(t *testing.T, path string, m protoreflect.MethodDescriptor, row boundedMethod)) {
	service := setplanv1.File_setplan_v1_service_proto.Services().ByName("PlannerService")
	rows := rowsOfMethods()
	for i := range service.Methods().Len() {
		m := service.Methods().Get(i)
		row, ok := rows[m.Name()]
		if !ok {
			t.Errorf("nothing holds %s to the bounds", m.FullName())
			continue
		}
		t.Run(string(m.Name()), func(t *testing.T) { f(t, fmt.Sprintf("/%s/%s", service.FullName(), m.Name()), m, row) })
	}
}

func encodedOf(t *testing.T, message proto.Message) []byte {
	t.Helper()
	data, err := proto.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// ways are the fields of a message that are messages, and those below them.
func ways(m protoreflect.MessageDescriptor, deep int) (all [][]protowire.Number) {
	for i := range m.Fields().Len() {
		f := m.Fields().Get(i)
		if deep == 0 || f.Message() == nil || f.IsList() || f.IsMap() {
			continue
		}
		all = append(all, []protowire.Number{f.Number()})
		for _, below := range ways(f.Message(), deep-1) {
			all = append(all, append([]protowire.Number{f.Number()}, below...))
		}
	}
	return all
}

// inManyParts is a field at a way with a megabyte, and then n parts of it with next to nothing.
func inManyParts(way []protowire.Number, n int) (out []byte) {
	field := func(out []byte, inside []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(out, way[len(way)-1], protowire.BytesType), inside)
	}
	unknown := func(bytes int) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, 1000, protowire.BytesType), make([]byte, bytes))
	}
	out = field(nil, unknown(1<<20))
	for range n {
		out = field(out, unknown(1))
	}
	for i := len(way) - 2; i >= 0; i-- {
		out = protowire.AppendBytes(protowire.AppendTag(nil, way[i], protowire.BytesType), out)
	}
	return out
}

// TestPartsCostTheirBytes: whatever field of a request comes in parts, twice as many parts take twice as much memory, and not the square.
func TestPartsCostTheirBytes(t *testing.T) {
	r := start(t, Config{}, nil)
	eachMethod(t, func(t *testing.T, path string, m protoreflect.MethodDescriptor, _ boundedMethod) {
		for _, way := range ways(m.Input(), 4) {
			data := inManyParts(way, 1000)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			answerTo(t, r, path, data)
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; took > 100<<20 { // 1,000 copies are a gigabyte
				t.Errorf("field %v in parts: a request of %d bytes takes %d", way, len(data), took)
			}
		}
	})
	givesBack(t, r.admission)
}

// TestCancelledCallsEnd: a call that its caller takes back while it is worked on ends, and gives back all that it has.
func TestCancelledCallsEnd(t *testing.T) {
	r := start(t, Config{}, nil)
	eachMethod(t, func(t *testing.T, path string, _ protoreflect.MethodDescriptor, row boundedMethod) {
		if row.costly == nil {
			return
		}
		message := encodedOf(t, row.costly)
		c := r.dialRaw(t, 1<<20)
		<-c.callMethodPieces(t, path, 1, message)
		waitFor(t, func() bool { _, taken, _, _, _ := r.admission.state(); return taken > 0 })
		if err := c.WriteRSTStream(1, http2.ErrCodeCancel); err != nil {
			t.Fatal(err)
		}
		givesBack(t, r.admission)
	})
}

// TestUnreadAnswersEnd: whoever reads no answer holds nothing for long, and nobody up.
func TestUnreadAnswersEnd(t *testing.T) {
	r := start(t, Config{Turns: 1}, func(s *Server) {
		s.admission.waits.step, s.admission.waits.answer = 300*time.Millisecond, 300*time.Millisecond
	})
	honest := r.planner(t)
	eachMethod(t, func(t *testing.T, path string, _ protoreflect.MethodDescriptor, row boundedMethod) {
		if row.costly == nil {
			return
		}
		message := encodedOf(t, row.costly)
		for range 4 {
			r.dialRaw(t, 0).callMethodPieces(t, path, 1, message)
		}
		waitFor(t, func() bool { _, _, _, held, _ := r.admission.state(); return held > 0 })
		goesOn(t, honest)
		givesBack(t, r.admission)
	})
}

// TestFloodsOfCalls: many callers that have used nothing, and ask at once for what costs most, keep nobody from a plan, and no more memory than there is.
func TestFloodsOfCalls(t *testing.T) {
	r := start(t, Config{Limits: Limits{MaxInflightBytes: 384 << 20}}, nil)
	honest := r.planner(t)
	goesOn(t, honest)
	eachMethod(t, func(t *testing.T, path string, _ protoreflect.MethodDescriptor, row boundedMethod) {
		if row.costly == nil {
			row.costly = row.whole
		}
		message := encodedOf(t, row.costly)
		for range 12 {
			c := r.dialRaw(t, 1<<20)
			c.callMethodPieces(t, path, 1, message)
		}
		for range 5 {
			goesOn(t, honest)
			if _, _, _, held, _ := r.admission.state(); held > r.admission.bytes {
				t.Errorf("%d bytes are held", held)
			}
		}
		waitFor(t, func() bool { open, _, _, _, _ := r.admission.state(); return open == 0 })
	})
}
