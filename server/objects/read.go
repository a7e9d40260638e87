package objects

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/setplan/setplan/proto/documents"
	"github.com/setplan/setplan/proto/rawjson"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Limits bound what Read accepts.
type Limits struct {
	MaxElements int         // of lists and maps of the snapshot; 0 is no limit
	Stop        func() bool // is asked many times in ten milliseconds; nil: never
}

// Limits of a request. A document is bounded by the message that it is in.
const (
	MaxObjects     = 250_000 // of all documents
	maxObjectBytes = 3 << 20 // a request to an API server, and so any object in it
)

// perObject is what it takes to look at an object once, in bytes that could be read meanwhile.
const perObject = 64

// Error says what is wrong with objects.
type Error struct {
	Field       string // path from the request, such as "objects.documents[2].items[17].metadata.name"
	Description string // such as "must be a string"; it quotes nothing but names
}

func (e *Error) Error() string { return e.Field + ": " + e.Description }

// The kinds that a snapshot has beside sets.
var (
	kindPod      = documents.Kind{APIVersion: "v1", Kind: "Pod"}
	kindClaim    = documents.Kind{APIVersion: "v1", Kind: "PersistentVolumeClaim"}
	kindRevision = documents.Kind{APIVersion: builtin, Kind: "ControllerRevision"}
	kindClass    = documents.Kind{APIVersion: "storage.k8s.io/v1", Kind: "StorageClass"}
)

// origin is an object of the documents, or of edited_set.
type origin struct {
	*documents.Object
	edited bool
}

// field is the path of a value of the object.
func (o *origin) field(at rawjson.Value) string {
	way := at.Way()
	if way == nil {
		way = o.JSON.Way()
	}
	if o.edited {
		return joined("objects.edited_set", rawjson.Path(way, known))
	}
	return joined(fmt.Sprintf("objects.documents[%d]", o.Document), rawjson.Path(way, known))
}

func joined(field, path string) string {
	if path == "" || path[0] == '[' {
		return field + path
	}
	return field + "." + path
}

// candidates are the objects that may belong to the set.
type candidates struct {
	in   *setplanv1.Objects
	kind documents.Kind

	set                     *origin
	stored                  *origin   // the set as the documents have it, if there is an edited one
	sets                    []*origin // of the set's kind, in any namespace
	pods, claims, revisions []*origin
	classes                 []*origin
	reader                  documents.Reader
	pace                    *rawjson.Pace
}

// Read makes the snapshot of a set, as the caller would have sent it. It shares the bytes of the request. The error is an *Error or rawjson.ErrStopped.
func Read(in *setplanv1.Objects, limits Limits) (made *Snapshot, err error) {
	err = rawjson.Stopping(func() error {
		c := &candidates{in: in, kind: documents.Kind{APIVersion: or(in.GetApiVersion(), builtin), Kind: or(in.GetKind(), "StatefulSet")}}
		c.pace = rawjson.NewPace(limits.Stop)
		c.reader = documents.Reader{Pace: c.pace, MaxObjects: MaxObjects, MaxBytes: maxObjectBytes}
		if in.GetName() == "" {
			return &Error{"objects.name", "required"}
		}
		for _, document := range in.GetDocuments() {
			if err := c.reader.Read(document, c.add); err != nil {
				return located("objects.documents", err)
			}
		}
		if err := c.edit(); err != nil {
			return err
		}
		if err := c.find(); err != nil {
			return err
		}
		made, err = c.snapshot(limits)
		return err
	})
	return made, err
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// located gives an error of documents its path from the request.
func located(field string, err error) error {
	wrong := new(documents.Error)
	if !errors.As(err, &wrong) {
		return err
	}
	if field == "objects.documents" {
		field = fmt.Sprintf("%s[%d]", field, wrong.Document)
	}
	return &Error{joined(field, wrong.Path()), wrong.What}
}

// add keeps an object, if it is of a kind that a snapshot has.
func (c *candidates) add(o *documents.Object) error {
	from := &origin{Object: o}
	if o.APIVersion == "" {
		return &Error{joined(from.field(o.JSON), "apiVersion"), "required"}
	}
	if o.Kind == kindClass {
		c.classes = append(c.classes, from)
		return nil
	}
	if wanted := c.in.GetNamespace(); wanted != "" && o.Namespace != wanted {
		return nil
	}
	switch o.Kind {
	case c.kind:
		c.sets = append(c.sets, from)
	case kindPod:
		c.pods = append(c.pods, from)
	case kindClaim:
		c.claims = append(c.claims, from)
	case kindRevision:
		c.revisions = append(c.revisions, from)
	}
	return nil
}

// edit reads the edited set.
func (c *candidates) edit() error {
	if len(c.in.GetEditedSet()) == 0 {
		return nil
	}
	reader := documents.Reader{Pace: c.pace, MaxObjects: MaxObjects, MaxBytes: maxObjectBytes}
	err := reader.Read(c.in.GetEditedSet(), func(o *documents.Object) error {
		if o.Kind == c.kind && o.Name == c.in.GetName() && (c.in.GetNamespace() == "" || o.Namespace == c.in.GetNamespace()) {
			if c.set != nil {
				return &Error{"objects.edited_set", "must be one set, and has two of the name"}
			}
			c.set = &origin{o, true}
		}
		return nil
	})
	if err == nil && c.set == nil {
		err = &Error{"objects.edited_set", "must be the set that objects.name, namespace, api_version and kind name"}
	}
	return located("objects.edited_set", err)
}

// find finds the set among those in the documents, unless there is an edited one, and forgets what is in other namespaces.
func (c *candidates) find() error {
	var named []*origin
	for _, set := range c.sets {
		if c.pace.Spend(perObject); set.Name == c.in.GetName() && (c.set == nil || set.Namespace == c.set.Namespace) {
			named = append(named, set)
		}
	}
	switch {
	case len(named) > 1:
		return &Error{"objects.namespace", fmt.Sprintf("required: the documents have sets of the name in the namespaces %.64q and %.64q", named[0].Namespace, named[1].Namespace)}
	case c.set == nil && len(named) == 0:
		return &Error{"objects.name", fmt.Sprintf("the documents have no %.64s %.64q of %.64s", c.kind.Kind, c.in.GetName(), c.kind.APIVersion)}
	case c.set == nil:
		c.set = named[0]
	case len(named) == 1 && named[0].UID != c.set.UID:
		return &Error{c.set.field(c.set.JSON), "must have the uid of the set in the documents"}
	case len(named) == 1:
		c.stored = named[0]
	}
	if c.set.Namespace == "" {
		return &Error{joined(c.set.field(c.set.JSON), "metadata.namespace"), "required"}
	}
	for _, list := range []*[]*origin{&c.sets, &c.pods, &c.claims, &c.revisions} {
		*list = slices.DeleteFunc(*list, func(o *origin) bool {
			c.pace.Spend(perObject)
			return o.Namespace != c.set.Namespace
		})
	}
	return nil
}

// coverage is what the caller says is complete, and what typed lists say.
func (b *builder) coverage(c *candidates) *setplanv1.Coverage {
	said := c.in.GetCoverage()
	complete := func(said bool, kind documents.Kind) bool {
		if said && c.reader.IsCut(kind) && b.wrong == nil {
			b.wrong = &Error{"objects.coverage", fmt.Sprintf("must not name a kind whose last page is missing: each %sList goes on elsewhere", kind.Kind)}
		}
		return said || c.reader.Complete(kind, c.set.Namespace)
	}
	return &setplanv1.Coverage{
		Pods: complete(said.GetPods(), kindPod), Claims: complete(said.GetClaims(), kindClaim), Revisions: complete(said.GetRevisions(), kindRevision),
		PodsVersion: said.GetPodsVersion(), ClaimsVersion: said.GetClaimsVersion(), RevisionsVersion: said.GetRevisionsVersion(),
	}
}

// known are the keys that paths of errors name.
func known(key string) bool { return strings.Contains(knownKeys, " "+key+" ") }

const knownKeys = " items apiVersion kind metadata spec status data revision name namespace uid resourceVersion generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds labels " +
	"annotations ownerReferences finalizers controller blockOwnerDeletion replicas ordinals start selector matchLabels matchExpressions key operator values " +
	"serviceName podManagementPolicy updateStrategy type rollingUpdate partition maxUnavailable minReadySeconds revisionHistoryLimit " +
	"persistentVolumeClaimRetentionPolicy whenDeleted whenScaled volumeClaimTemplates observedGeneration readyReplicas availableReplicas currentReplicas updatedReplicas " +
	"currentRevision updateRevision collisionCount conditions reason message lastTransitionTime phase startTime containers initContainers volumes readinessGates conditionType env image resources " +
	"requests limits cpu memory storage persistentVolumeClaim claimName containerStatuses initContainerStatuses imageID containerID state running startedAt waiting " +
	"terminated storageClassName volumeAttributesClassName capacity allocatedResourceStatuses currentVolumeAttributesClassName modifyVolumeStatus allowVolumeExpansion "
