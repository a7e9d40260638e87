package server

import (
	"slices"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	reflectionv1 "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
)

// listServices asks a server what it serves.
func listServices(t *testing.T, connection *grpc.ClientConn) ([]string, error) {
	t.Helper()
	stream, err := reflectionv1.NewServerReflectionClient(connection).ServerReflectionInfo(testContext(t))
	if err != nil {
		t.Fatal(err)
	}
	ask := &reflectionv1.ServerReflectionRequest{
		MessageRequest: &reflectionv1.ServerReflectionRequest_ListServices{},
	}
	_ = stream.Send(ask) // if this fails, Recv fails and says why
	answer, err := stream.Recv()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range answer.GetListServicesResponse().GetService() {
		names = append(names, s.GetName())
	}
	return names, stream.CloseSend()
}

func TestReflectionLists(t *testing.T) {
	names, err := listServices(t, start(t, Config{}, nil).dial(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"setplan.v1.PlannerService", "grpc.health.v1.Health"} {
		if !slices.Contains(names, name) {
			t.Errorf("reflection lists %v, not %s", names, name)
		}
	}
}

// TestReflectionBeyondLoopback: reflection is for trying things out, and only on this machine.
func TestReflectionBeyondLoopback(t *testing.T) {
	for reason, test := range map[string]struct {
		config Config
		want   codes.Code
	}{
		"by default":       {Config{ListenAddress: "0.0.0.0:0"}, codes.Unimplemented},
		"switched on":      {Config{ListenAddress: "0.0.0.0:0", Reflection: ReflectionOn}, codes.OK},
		"off, on loopback": {Config{Reflection: ReflectionOff}, codes.Unimplemented},
	} {
		r := start(t, test.config, nil)
		if _, err := listServices(t, r.dial(t)); status.Code(err) != test.want {
			t.Errorf("%s: %v, want %s", reason, err, test.want)
		}
		goesOn(t, r.planner(t))
	}
}
