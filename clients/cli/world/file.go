package world

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/clients/cli/shell"
	files "github.com/setplan/setplan/proto/documents"
)

// Stdin is the file name for standard input.
const Stdin = "-"

// GetCommand is the command whose output ReadFile expects.
func GetCommand(kind kube.SetKind) string {
	sets := "sts"
	if kind != kube.StatefulSets() {
		sets = kind.Name()
	}
	return "kubectl get " + sets + ",pods,pvc,controllerrevisions,storageclasses -o yaml"
}

// ReadFile reads the sets of a kind, and what they have, from a file: YAML or JSON, lists, and several documents.
func ReadFile(path string, stdin io.Reader, kind kube.SetKind) (*World, error) {
	if path == Stdin {
		return read("standard input", stdin, kind)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return read(path, file, kind)
}

func read(name string, from io.Reader, kind kube.SetKind) (*World, error) {
	text, err := io.ReadAll(from)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	all, err := documents(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	r := &reader{world: empty(kind), ignored: map[string]int{}}
	for _, document := range all {
		if err := r.documents.Read(document.json, r.object); err != nil {
			return nil, fmt.Errorf("%s: the document that begins on line %d: %w", name, document.line, err)
		}
	}
	if r.documents.Objects() == 0 {
		return nil, fmt.Errorf("%s holds no objects; it should be the output of: %s", name, GetCommand(kind))
	}
	r.tellIgnored()
	r.judgeCompleteness()
	return r.world, nil
}

type reader struct {
	world     *World
	documents files.Reader
	ignored   map[string]int // by kind
}

// noObject says what was found instead of an object, without the names of our types.
func noObject(err error) error {
	found := new(json.UnmarshalTypeError)
	switch {
	case !errors.As(err, &found):
		return err
	case found.Field == "":
		return fmt.Errorf("it is not a Kubernetes object; found: %s", found.Value)
	default:
		return fmt.Errorf("it is not a Kubernetes object; found as %s: %s", found.Field, found.Value)
	}
}

func (r *reader) object(o *files.Object) error {
	w := r.world
	if err := named(o); err != nil {
		return err
	}
	document := o.JSON.Raw()
	var err error
	switch {
	case o.Kind == files.Kind{APIVersion: w.Kind.APIVersion(), Kind: w.Kind.Kind}:
		set := &unstructured.Unstructured{}
		if err = utiljson.Unmarshal(document, &set.Object); err == nil {
			set.SetAPIVersion(o.APIVersion)
			set.SetKind(o.Kind.Kind)
			w.Sets.Items = append(w.Sets.Items, set)
		}
	case o.Kind.Kind == "Pod":
		err = decode(document, &w.Pods.Items, &corev1.Pod{})
	case o.Kind.Kind == "PersistentVolumeClaim":
		err = decode(document, &w.Claims.Items, &corev1.PersistentVolumeClaim{})
	case o.Kind.Kind == "ControllerRevision":
		revision := &appsv1.ControllerRevision{}
		if err = decode(document, &w.Revisions.Items, revision); err == nil {
			revision.Data.Raw, err = canonical(revision.Data.Raw)
		}
	case o.Kind.Kind == "Event":
		event, err := readEvent(o.APIVersion, document)
		w.Events = append(w.Events, event)
		return err
	case o.Kind.Kind == "Node":
		node := &corev1.Node{}
		err = json.Unmarshal(document, node)
		w.Nodes[node.Name] = node
		return err
	case o.Kind.Kind == "StorageClass":
		w.Classes[o.Name] = true
		return decode(document, &w.StorageClasses.Items, &storagev1.StorageClass{})
	default:
		r.ignored[fullKind(o)]++
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", o.Kind.Kind, o.Name, err)
	}
	if o.UID == "" {
		return fmt.Errorf("%s %s has no uid, so it is a manifest and not an object of a cluster; use the output of: %s",
			o.Kind.Kind, o.Name, GetCommand(w.Kind))
	}
	return nil
}

// readEvent reads an event of either API. They call the same fields by other names, and do not fill all of them.
func readEvent(apiVersion string, document json.RawMessage) (event corev1.Event, err error) {
	if err = json.Unmarshal(document, &event); err != nil || apiVersion == "v1" {
		return event, err
	}
	var of eventsv1.Event
	if err = json.Unmarshal(document, &of); err != nil {
		return event, err
	}
	event.InvolvedObject, event.Message, event.Count = of.Regarding, of.Note, of.DeprecatedCount
	event.FirstTimestamp, event.LastTimestamp = of.DeprecatedFirstTimestamp, of.DeprecatedLastTimestamp
	return event, nil
}

// named refuses names that no API server would accept: names become parts of commands that people paste.
func named(o *files.Object) error {
	if wrong := content.IsPathSegmentName(o.Name); o.Name == "" || len(wrong) > 0 || strings.ContainsFunc(o.Name, strange) {
		return fmt.Errorf("%s %q: this is not a valid object name", o.Kind.Kind, o.Name)
	}
	if strings.ContainsFunc(o.Namespace, strange) {
		return fmt.Errorf("%s %q: %q is not a valid namespace name", o.Kind.Kind, o.Name, o.Namespace)
	}
	return nil
}

// strange reports whether a character occurs in no name of an object: nearly all kinds have DNS names, some allow colons.
func strange(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-.:_@", r))
}

// fullKind names the kind with its API group, as kubectl does: two groups may have kinds of the same name.
func fullKind(o *files.Object) string {
	if group, version, grouped := strings.Cut(o.APIVersion, "/"); grouped {
		return o.Kind.Kind + "." + version + "." + group
	}
	return o.Kind.Kind
}

func decode[T any](document json.RawMessage, to *[]T, object T) error {
	if err := json.Unmarshal(document, object); err != nil {
		return err
	}
	*to = append(*to, object)
	return nil
}

// canonical writes a revision's data as the API server has it, whatever the file's layout: controllers write it sorted and without
// white space.
func canonical(data []byte) ([]byte, error) {
	var value any
	if err := utiljson.Unmarshal(data, &value); err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	return json.Marshal(value)
}

func (r *reader) tellIgnored() {
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(r.ignored)) {
		kinds = append(kinds, fmt.Sprintf("%d %s", r.ignored[kind], kind))
	}
	if len(kinds) > 0 {
		r.world.note("ignored in the file: %s", strings.Join(kinds, ", "))
	}
	if r.ignored["PodDisruptionBudget.v1.policy"] > 0 {
		r.world.note("the disruption budgets in the file are not used: evictions are planned, and forecast, as if budgets allowed them")
	}
}

// judgeCompleteness decides which kinds are complete. A typed list says so itself. Of kubectl's List, which does not say which kinds were asked for, a kind without
// objects counts as complete unless something in the file shows that there are some. The planner does not take objects of an incomplete kind for absent.
func (r *reader) judgeCompleteness() {
	w := r.world
	w.Sets.Complete = true
	pods, claims, revisions := &kindInFile{&w.Pods.Complete, len(w.Pods.Items), "pods", kindOf("v1", "Pod")},
		&kindInFile{&w.Claims.Complete, len(w.Claims.Items), "persistentvolumeclaims", kindOf("v1", "PersistentVolumeClaim")},
		&kindInFile{&w.Revisions.Complete, len(w.Revisions.Items), "controllerrevisions", kindOf("apps/v1", "ControllerRevision")}
	for _, l := range []*kindInFile{pods, claims, revisions} {
		if *l.complete = !r.documents.IsPart(l.kind); !*l.complete {
			w.note("the file has only some of the %s, because their list has metadata.continue; get all of them with: %s", l.name, GetCommand(w.Kind))
		}
	}
	missing := func(l *kindInFile, namespace, sign string) {
		if l.have == 0 && *l.complete && !r.documents.Complete(l.kind, namespace) {
			*l.complete = false
			take := shell.Command("kubectl -n %s", namespace) + strings.TrimPrefix(GetCommand(w.Kind), "kubectl")
			w.note("the file has no %s, but %s; get them with: %s", l.name, sign, take)
		}
	}
	for _, set := range w.Sets.Items {
		if count, _, _ := unstructured.NestedInt64(set.Object, "status", "replicas"); count > 0 {
			missing(pods, set.GetNamespace(), fmt.Sprintf("the status of %s counts %d", set.GetName(), count))
		}
		if current, _, _ := unstructured.NestedString(set.Object, "status", "currentRevision"); current != "" {
			missing(revisions, set.GetNamespace(), fmt.Sprintf("the status of %s names %s", set.GetName(), current))
		}
	}
	for _, pod := range w.Pods.Items {
		for i := range pod.Spec.Volumes {
			if claim := pod.Spec.Volumes[i].PersistentVolumeClaim; claim != nil {
				missing(claims, pod.Namespace, fmt.Sprintf("pod %s uses %s", pod.Name, claim.ClaimName))
			}
		}
	}
}

// kindInFile is a kind of which a file may have all objects.
type kindInFile struct {
	complete *bool
	have     int
	name     string
	kind     files.Kind
}

func kindOf(apiVersion, kind string) files.Kind {
	return files.Kind{APIVersion: apiVersion, Kind: kind}
}
