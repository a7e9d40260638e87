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
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/setplan/setplan/adapters/kube"
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
	r := &reader{world: empty(kind), ignored: map[string]int{}, versions: map[string]string{}}
	for _, document := range all {
		if err := r.add(document.json, header{}); err != nil {
			return nil, fmt.Errorf("%s: the document that begins on line %d: %w", name, document.line, err)
		}
	}
	if r.objects == 0 {
		return nil, fmt.Errorf("%s holds no objects; it should be the output of: %s", name, GetCommand(kind))
	}
	r.tellIgnored()
	r.judgeCompleteness()
	return r.world, nil
}

type reader struct {
	world    *World
	objects  int
	ignored  map[string]int    // by kind
	versions map[string]string // of what was read, by kind and name
}

type header struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Namespace       string `json:"namespace"`
		Name            string `json:"name"`
		UID             string `json:"uid"`
		ResourceVersion string `json:"resourceVersion"`
	} `json:"metadata"`
	Items []json.RawMessage `json:"items"`
}

// add adds an object or a list. inherited is what a list says for items that do not say it themselves.
func (r *reader) add(document json.RawMessage, inherited header) error {
	var h header
	if err := json.Unmarshal(document, &h); err != nil {
		return noObject(err)
	}
	if h.Kind == "" {
		h.Kind, h.APIVersion = inherited.Kind, inherited.APIVersion
	}
	switch {
	case h.Kind == "" && h.Items != nil:
		return errors.New("it is a list without a kind; kubectl writes the kind last, so it seems to be cut off")
	case h.Kind == "":
		return errors.New("it has no kind")
	}
	if of, isList := strings.CutSuffix(h.Kind, "List"); isList {
		for _, item := range h.Items {
			if err := r.add(item, header{Kind: of, APIVersion: h.APIVersion}); err != nil {
				return err
			}
		}
		return nil
	}
	r.objects++
	return r.object(document, &h)
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

func (r *reader) object(document json.RawMessage, h *header) error {
	w := r.world
	if err := h.named(); err != nil {
		return err
	}
	if twice, err := r.twice(h); twice || err != nil {
		return err
	}
	var err error
	switch {
	case h.Kind == w.Kind.Kind && h.APIVersion == w.Kind.APIVersion():
		set := &unstructured.Unstructured{}
		if err = utiljson.Unmarshal(document, &set.Object); err == nil {
			set.SetAPIVersion(h.APIVersion)
			set.SetKind(h.Kind)
			w.Sets.Items = append(w.Sets.Items, set)
		}
	case h.Kind == "Pod":
		err = decode(document, &w.Pods.Items, &corev1.Pod{})
	case h.Kind == "PersistentVolumeClaim":
		err = decode(document, &w.Claims.Items, &corev1.PersistentVolumeClaim{})
	case h.Kind == "ControllerRevision":
		revision := &appsv1.ControllerRevision{}
		if err = decode(document, &w.Revisions.Items, revision); err == nil {
			revision.Data.Raw, err = canonical(revision.Data.Raw)
		}
	case h.Kind == "Event":
		event := corev1.Event{}
		err = json.Unmarshal(document, &event)
		w.Events = append(w.Events, event)
		return err
	case h.Kind == "Node":
		node := &corev1.Node{}
		err = json.Unmarshal(document, node)
		w.Nodes[node.Name] = node
		return err
	case h.Kind == "StorageClass":
		w.Classes[h.Metadata.Name] = true
		return decode(document, &w.StorageClasses.Items, &storagev1.StorageClass{})
	default:
		r.ignored[h.fullKind()]++
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", h.Kind, h.Metadata.Name, err)
	}
	if h.Metadata.UID == "" {
		return fmt.Errorf("%s %s has no uid, so it is a manifest and not what a cluster has; wanted is the output of: %s",
			h.Kind, h.Metadata.Name, GetCommand(w.Kind))
	}
	return nil
}

// named refuses names that no API server would accept: names become parts of commands that people paste.
func (h *header) named() error {
	if wrong := content.IsPathSegmentName(h.Metadata.Name); h.Metadata.Name == "" || len(wrong) > 0 || strings.ContainsFunc(h.Metadata.Name, strange) {
		return fmt.Errorf("%s %q: that is no name of an object", h.Kind, h.Metadata.Name)
	}
	if strings.ContainsFunc(h.Metadata.Namespace, strange) {
		return fmt.Errorf("%s %q: %q is no name of a namespace", h.Kind, h.Metadata.Name, h.Metadata.Namespace)
	}
	return nil
}

// strange reports whether a character occurs in no name of an object: nearly all kinds have DNS names, some allow colons.
func strange(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-.:_@", r))
}

// fullKind names the kind with its API group, as kubectl does: two groups may have kinds of the same name.
func (h *header) fullKind() string {
	if group, version, grouped := strings.Cut(h.APIVersion, "/"); grouped {
		return h.Kind + "." + version + "." + group
	}
	return h.Kind
}

// twice reports whether an object was read already. A file must show one moment, so two versions of an object are an error.
func (r *reader) twice(h *header) (bool, error) {
	id := h.fullKind() + " " + h.Metadata.Namespace + "/" + h.Metadata.Name
	version := h.Metadata.UID + "/" + h.Metadata.ResourceVersion
	before, known := r.versions[id]
	if known && before != version {
		return true, fmt.Errorf("%s stands in it twice, in different versions; a file holds what was there at one time", id)
	}
	r.versions[id] = version
	return known, nil
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
}

// judgeCompleteness decides which kinds are complete, because a file does not say which kinds were asked for. A kind without objects
// counts as complete unless something in the file shows that there are some. The planner does not take objects of an incomplete kind
// for absent.
func (r *reader) judgeCompleteness() {
	w := r.world
	w.Sets.Complete = true
	w.Pods.Complete, w.Claims.Complete, w.Revisions.Complete = true, true, true
	missing := func(complete *bool, have int, kind, sign string) {
		if have == 0 && *complete {
			*complete = false
			w.note("the file has no %s, but %s; take it with: %s", kind, sign, GetCommand(w.Kind))
		}
	}
	for _, set := range w.Sets.Items {
		if pods, _, _ := unstructured.NestedInt64(set.Object, "status", "replicas"); pods > 0 {
			missing(&w.Pods.Complete, len(w.Pods.Items), "pods", fmt.Sprintf("the status of %s counts %d", set.GetName(), pods))
		}
		if current, _, _ := unstructured.NestedString(set.Object, "status", "currentRevision"); current != "" {
			missing(&w.Revisions.Complete, len(w.Revisions.Items), "controllerrevisions", fmt.Sprintf("the status of %s names %s", set.GetName(), current))
		}
	}
	for _, pod := range w.Pods.Items {
		for i := range pod.Spec.Volumes {
			if claim := pod.Spec.Volumes[i].PersistentVolumeClaim; claim != nil {
				missing(&w.Claims.Complete, len(w.Claims.Items), "persistentvolumeclaims", fmt.Sprintf("pod %s uses %s", pod.Name, claim.ClaimName))
			}
		}
	}
}
