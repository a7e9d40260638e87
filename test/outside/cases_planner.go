package outside

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	grpcstatus "google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// What a plan asks for besides its stages.
var answerCases = []testCase{
	{"A16", "the adapter asks again when it was told to", func(b *bench) {
		b.script(nothing)
		b.web(1)
		b.asked(1)
		b.forget(func(c *call) (*plan, error) {
			p, err := nothing(c)
			if c.number == 1 {
				p.Converged, p.RequeueAfter = false, durationpb.New(2*time.Second)
			}
			return p, err
		})
		b.nudge()
		first := b.asked(1)
		if took := b.asked(2).at.Sub(first.at); took > 8*time.Second {
			b.failf("it was told to ask again after 2s, and asked after %s", took)
		}
	}},
	{"A16", "the adapter asks again at once after a plan that was cut", func(b *bench) {
		b.script(nothing)
		b.web(1)
		b.asked(1)
		b.forget(once(func(c *call) (*plan, error) {
			first, _ := creations(c)
			p := made(c, first)
			p.Truncated = true
			return p, nil
		}))
		b.gateway.holdWatches("statefulsets") // nothing else makes it ask
		b.nudge()
		b.gateway.calm()
		cut := b.asked(1)
		if took := b.asked(2).at.Sub(cut.at); took > 5*time.Second {
			b.failf("it asked again after %s", took)
		}
	}},
	{"A17", "a block that asks for attention is an event", func(b *bench) {
		b.script(func(c *call) (*plan, error) {
			p := made(c)
			p.Blocks = []*setplanv1.Block{{Code: setplanv1.BlockCode_BLOCK_CODE_POD_NAME_TAKEN, Severity: setplanv1.Severity_SEVERITY_ATTENTION,
				Subject: &setplanv1.Target{Kind: "Pod", Namespace: b.namespace, Name: "web-0"}, Message: "Conformance wants attention.", Remedy: "Raise an event."}}
			return p, nil
		})
		b.web(1)
		b.until("an event says so", func() string {
			if !strings.Contains(fmt.Sprint(b.get("events")["items"]), "Conformance wants attention.") {
				return "there is none"
			}
			return ""
		})
	}},
}

// Without a plan nothing is done.
var plannerCases = []testCase{
	{"A11", "nothing is written while there is no planner", func(b *bench) {
		b.grown(2)
		b.forget(nil)
		b.planner.stop()
		b.patch("statefulsets/web", object{"spec": object{"replicas": 1}})
		b.remove("pods/web-0")
		b.neverIn(5*quiet, "written without a planner", nil) // a client may take some time to connect
		if err := b.planner.again(); err != nil {
			b.stopf("%v", err)
		}
		b.longer = time.Minute // the adapter may have backed off
		b.written("the pod", to(http.MethodPost, "pods", "web-0"))
	}},
	{"A11", "nothing is written after an error, and it is not repeated like a storm", func(b *bench) {
		for _, code := range []codes.Code{codes.InvalidArgument, codes.FailedPrecondition, codes.PermissionDenied, codes.Internal, codes.ResourceExhausted} {
			b.script(func(*call) (*plan, error) { return nil, grpcstatus.Error(code, "the conformance test refuses this") })
			if b.get("statefulsets/web") == nil {
				b.web(1)
			} else {
				b.nudge()
			}
			b.asked(1)
			b.never("written after "+code.String(), nil)
			if asked := len(b.calls()); asked > 20 {
				b.failf("%s was answered, and the adapter has asked %d times in %s", code, asked, quiet)
			}
		}
	}},
}
