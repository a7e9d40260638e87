package setplan_test

import (
	"context"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// TestPlanSendsCapabilities: the caller's list is sent unchanged. Without a list the build's is sent, and the caller's request stays as
// it is.
func TestPlanSendsCapabilities(t *testing.T) {
	sent := make(chan *setplanv1.PlanRequest, 1)
	f := &fake{plan: ok}
	address, _ := listen(t, "", &keeper{f, sent})
	client := dial(t, address)

	own := []setplanv1.Capability{setplanv1.Capability_CAPABILITY_DELETE_POD, 1000}
	newer := protowire.AppendVarint(protowire.AppendTag(nil, 1000, protowire.VarintType), 1)
	for name, test := range map[string]struct{ listed, want []setplanv1.Capability }{
		"none": {nil, setplan.Capabilities()},
		"own":  {own, own},
	} {
		request := sized(10)
		request.Capabilities = test.listed
		request.ProtoReflect().SetUnknown(newer)
		before := proto.CloneOf(request)
		if _, err := client.Plan(context.Background(), request); err != nil {
			t.Fatal(err)
		}
		got := <-sent
		if !proto.Equal(request, before) {
			t.Errorf("%s: the caller's request was changed to %v", name, request)
		}
		if !slices.Equal(got.GetCapabilities(), test.want) {
			t.Errorf("%s: %v was sent, want %v", name, got.GetCapabilities(), test.want)
		}
		got.Capabilities = test.listed
		if !proto.Equal(got, before) {
			t.Errorf("%s: besides the capabilities %v was sent, want %v", name, got, before)
		}
	}
}

// keeper passes on the requests that arrive.
type keeper struct {
	*fake
	requests chan *setplanv1.PlanRequest
}

func (k *keeper) Plan(ctx context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	k.requests <- request
	return k.fake.Plan(ctx, request)
}
