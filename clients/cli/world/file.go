package world

import (
	"bufio"
	"bytes"
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
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// Stdin is the file name that stands for standard input.
const Stdin = "-"

// GetCommand is the command whose output ReadFile expects.
const GetCommand = "kubectl get sts,pods,pvc,controllerrevisions -o yaml"

// ReadFile reads objects from a file: YAML or JSON, lists, and several documents in a row.
func ReadFile(path string, stdin io.Reader) (*World, error) {
	if path == Stdin {
		return read("standard input", stdin)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return read(path, file)
}

func read(name string, from io.Reader) (*World, error) {
	r := &reader{world: empty(), ignored: map[string]int{}}
	decoder := yaml.NewYAMLOrJSONDecoder(bufio.NewReader(from), 4096)
	for {
		var document json.RawMessage
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && len(document) > 0 && !bytes.Equal(document, []byte("null")) {
			err = r.add(document, "")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if r.objects == 0 {
		return nil, fmt.Errorf("%s holds no objects; it should be the output of: %s", name, GetCommand)
	}
	r.tellIgnored()
	r.judgeCompleteness()
	return r.world, nil
}

type reader struct {
	world   *World
	objects int
	ignored map[string]int // by kind
}

type header struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name string `json:"name"`
		UID  string `json:"uid"`
	} `json:"metadata"`
	Items []json.RawMessage `json:"items"`
}

// add takes an object or a list. kind is what a list says of items that do not say it themselves.
func (r *reader) add(document json.RawMessage, kind string) error {
	var h header
	if err := json.Unmarshal(document, &h); err != nil {
		return fmt.Errorf("this is no Kubernetes object: %w", err)
	}
	if h.Kind == "" {
		h.Kind = kind
	}
	if h.Kind == "" {
		return errors.New("there is a document without a kind")
	}
	if of, isList := strings.CutSuffix(h.Kind, "List"); isList {
		for _, item := range h.Items {
			if err := r.add(item, of); err != nil {
				return err
			}
		}
		return nil
	}
	r.objects++
	return r.object(document, &h)
}

func (r *reader) object(document json.RawMessage, h *header) error {
	w := r.world
	group, _, _ := strings.Cut(h.APIVersion, "/")
	var err error
	switch {
	case h.Kind == "StatefulSet" && group == "apps":
		set := &unstructured.Unstructured{}
		if err = set.UnmarshalJSON(document); err == nil {
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
		return nil
	default:
		r.ignored[h.Kind]++
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", h.Kind, h.Metadata.Name, err)
	}
	if h.Metadata.UID == "" {
		return fmt.Errorf("%s %s has no uid, so it is a manifest and not what a cluster has; wanted is the output of: %s",
			h.Kind, h.Metadata.Name, GetCommand)
	}
	return nil
}

func decode[T any](document json.RawMessage, to *[]T, object T) error {
	if err := json.Unmarshal(document, object); err != nil {
		return err
	}
	*to = append(*to, object)
	return nil
}

// canonical writes a revision's data as the API server has it, whatever the file's layout: controllers write it sorted
// and without spaces.
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

// judgeCompleteness: a file does not say which kinds somebody has asked for. A kind without any object counts as asked
// for unless something in the file says that there are some; the planner then does not take them for absent.
func (r *reader) judgeCompleteness() {
	w := r.world
	w.Sets.Complete = true
	w.Pods.Complete, w.Claims.Complete, w.Revisions.Complete = true, true, true
	missing := func(complete *bool, have int, kind, sign string) {
		if have == 0 && *complete {
			*complete = false
			w.note("the file has no %s, but %s; take it with: %s", kind, sign, GetCommand)
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
