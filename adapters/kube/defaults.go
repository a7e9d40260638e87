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

// defaults holds what the API server fills into templates of apps/v1. Templates of other kinds come without defaults, so their revisions
// would have other names, and their pods other bytes. Only the API server knows the defaults of every field and release, so the adapter
// asks it to create the same set under apps/v1, in a dry run that stores nothing.
//
// An answer holds for a set until a field that it is asked about changes. Another process finds the answer in the set's revision: see
// defaults_stored.go. A refusal is forwarded to the planner, and asked about again after refusedFor, because it may come from a policy
// that somebody corrects. After any other failure nothing is known, so it is an error and nothing is done.
type defaults struct {
	api   *API
	clock adapters.Clock

	mu      sync.Mutex
	answers map[adapters.Key]givenDefaults
}

// givenDefaults is the API server's answer to a question, and the set with it.
type givenDefaults struct {
	question questionID
	claimed  questionID // the question with what claims can follow, when it was asked
	said     []byte     // the set as it would be stored; nil: refused
	refusal  string     // the API server's words
	until    time.Time  // when a refusal is asked about again

	spec json.RawMessage        // the set's spec, without the defaults
	with *setplanv1.StatefulSet // the set with the defaults
}

// errNoAPI is the error for a set that was read from a file, and whose revision does not hold its defaults.
var errNoAPI = errors.New("the set was not read from one")

// refusedFor is how long a refusal holds before the API server is asked again.
const refusedFor = time.Minute

func newDefaults(api *API, clock adapters.Clock) *defaults {
	return &defaults{api: api, clock: clock, answers: map[adapters.Key]givenDefaults{}}
}

// of returns the message of a set with the defaults. A set that is being deleted does without them if they are not known: nothing is made
// from its templates, and in a namespace that is being deleted the API server refuses to create anything, even in a dry run.
func (d *defaults) of(ctx context.Context, key adapters.Key, set *cachedSet, revisions func() ([]*appsv1.ControllerRevision, error)) (*setplanv1.StatefulSet, error) {
	d.mu.Lock()
	known := d.answers[key]
	d.mu.Unlock()
	if known.question != set.question || known.refusal != "" && known.claimed != set.claimed || !known.until.IsZero() && !d.clock().Before(known.until) {
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
	if !bytes.Equal(known.spec, set.undefaulted) { // fields that are not asked about may have changed
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
		return givenDefaults{question: set.question, claimed: set.claimed, refusal: refusal, until: d.clock().Add(refusedFor)}, nil
	}
	return givenDefaults{question: set.question, claimed: set.claimed, said: said}, err
}

// refusalIn returns what the API server finds wrong with a set, in its words, without the name that it was asked under. Other errors, such
// as a missing right, a used-up quota or a webhook that does not answer, say nothing about the set. A webhook or policy that denies the
// set counts, whatever its status code: it would deny the same set under apps/v1.
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

// denied matches what the API server puts before the words of a webhook or of an admission policy.
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
