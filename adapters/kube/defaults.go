package kube

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/snapshot"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// defaults are what the API server fills in in the templates of apps/v1. A template of another kind comes without them, so that its
// revision would have another name, and its pods other bytes. Nobody knows them better than the API server, of every field and every
// release: it is asked to create the same set under apps/v1, in a dry run, which stores nothing.
//
// An answer holds for a set until its templates change. Another process finds it in the set's revision; see defaults_stored.go. What the
// API server refuses is forwarded, and asked again after a while: who refuses may be a policy, which somebody corrects. Any other failure is
// an error, after which nothing is known and nothing done.
type defaults struct {
	api   *API
	clock adapters.Clock

	mu      sync.Mutex
	answers map[adapters.Key]givenDefaults
}

// givenDefaults are what the API server said of a question, and what that makes of a spec.
type givenDefaults struct {
	question questionID
	said     []byte    // the set that would be stored; nil: refused
	refusal  string    // its words
	until    time.Time // of a refusal

	spec json.RawMessage // as the set has it
	with *setplanv1.StatefulSet
}

// errNoAPI is of a set that was read from a file, and whose revision does not tell its defaults.
var errNoAPI = errors.New("the set was not read from one")

// refusedFor is how long a refusal is not asked again.
const refusedFor = time.Minute

func newDefaults(api *API, clock adapters.Clock) *defaults {
	return &defaults{api: api, clock: clock, answers: map[adapters.Key]givenDefaults{}}
}

// of is the message of a set with the defaults. One that is deleted gets nothing made of its templates: there an answer that is not known
// is not needed, and might not be had, because nothing is created in a namespace that ends.
func (d *defaults) of(ctx context.Context, key adapters.Key, set *cachedSet, revisions func() ([]*appsv1.ControllerRevision, error)) (*setplanv1.StatefulSet, error) {
	d.mu.Lock()
	known := d.answers[key]
	d.mu.Unlock()
	if known.question != set.question || !known.until.IsZero() && !d.clock().Before(known.until) {
		all, err := revisions()
		if err != nil {
			return nil, err
		}
		switch said := saidBefore(set, all); {
		case said != nil:
			known = givenDefaults{question: set.question, said: said}
		case set.GetDeletionTimestamp() != nil:
			return set.message, nil
		default:
			if known, err = d.ask(ctx, key, set); err != nil {
				return nil, fmt.Errorf("asking the API server for the defaults of %s %s: %w", set.message.GetKind(), key, err)
			}
		}
	}
	if !bytes.Equal(known.spec, set.undefaulted) { // more may have changed than was asked about
		var err error
		if known.with, err = known.filledIn(set); err != nil {
			return nil, err
		}
		known.spec = set.undefaulted
	}
	d.mu.Lock()
	d.answers[key] = known
	d.mu.Unlock()
	return snapshot.WithSpec(set.message, known.with), nil
}

func (d *defaults) ask(ctx context.Context, key adapters.Key, set *cachedSet) (givenDefaults, error) {
	if d.api == nil {
		return givenDefaults{}, errNoAPI
	}
	manifest, err := questionOf(set.undefaulted)
	if err != nil {
		return givenDefaults{}, err
	}
	said, err := d.api.dryRun(ctx, StatefulSets().in(key.Namespace), manifest)
	if refusal, refused := refusalIn(err); refused {
		return givenDefaults{question: set.question, refusal: refusal, until: d.clock().Add(refusedFor)}, nil
	}
	return givenDefaults{question: set.question, said: said}, err
}

// refusalIn is what the API server finds wrong with a set, in its words, without the name that it was asked under. All else, such as that
// a right is missing, a quota is used up, or a webhook does not answer, says nothing about the set. A policy that denies it does, with
// whatever code: a person who wrote such a set under apps/v1 would have been told so.
func refusalIn(err error) (text string, ok bool) {
	status, is := err.(apierrors.APIStatus)
	if !is {
		return "", false
	}
	said := status.Status()
	switch {
	case said.Reason == metav1.StatusReasonInvalid:
	case said.Reason == metav1.StatusReasonBadRequest && strings.Contains(said.Message, "cannot be handled as a"):
	case denied.MatchString(said.Message):
	default:
		return "", false
	}
	var parts []string
	if said.Details != nil {
		for _, cause := range said.Details.Causes {
			parts = append(parts, strings.TrimPrefix(cause.Field+": "+cause.Message, ": "))
		}
	}
	if len(parts) == 0 {
		return said.Message, true
	}
	return strings.Join(parts, "; "), true
}

// denied is how the API server introduces the words of a webhook, and of an admission policy.
var denied = regexp.MustCompile(`admission webhook "[^"]*" denied the request|ValidatingAdmissionPolicy '[^']*' with binding '[^']*' denied request`)

var _ adapters.Observer = (*defaults)(nil)

// Planned implements adapters.Observer.
func (d *defaults) Planned(adapters.Key, *setplanv1.Snapshot, *setplanv1.Plan) {}

// Applied implements adapters.Observer.
func (d *defaults) Applied(adapters.Key, *setplanv1.Snapshot, *setplanv1.Action, adapters.Result) {}

// Held implements adapters.Observer.
func (d *defaults) Held(adapters.Key, string, error) {}

// Forgotten implements adapters.Observer.
func (d *defaults) Forgotten(key adapters.Key) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.answers, key)
}
