//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// versions are the resource versions of everything in the scene, and claims without their status: equal ones mean that nothing was written.
func (s *scene) versions() map[string]string {
	s.Helper()
	versions := map[string]string{}
	for _, resource := range watched {
		list := must(s.source.Resource(resource).Namespace(s.namespace).List(context.Background(), metav1.ListOptions{}))(s)
		for _, object := range list.Items {
			version := object.GetResourceVersion()
			if object.GetKind() == "PersistentVolumeClaim" { // the controller manager tells in its status, later, that a pod has come or gone
				unstructured.RemoveNestedField(object.Object, "status")
				object.SetManagedFields(nil)
				object.SetResourceVersion("")
				version = string(must(object.MarshalJSON())(s))
			}
			versions[object.GetKind()+"/"+object.GetName()] = string(object.GetUID()) + " at " + version
		}
	}
	return versions
}

// untouched checks that nothing in the scene has been written since.
func (s *scene) untouched(since map[string]string, when string) {
	s.Helper()
	if diff := cmp.Diff(since, s.versions()); diff != "" {
		s.Errorf("%s, objects were written (-before +after):\n%s", when, diff)
	}
}

// portrait is what a controller made of sets: each revision whole, byte for byte, and of the other objects all that does not
// depend on when and where they were made. Uids are replaced by the names of their objects.
func (s *scene) portrait() map[string]string {
	s.Helper()
	portrait, uids := map[string]string{}, []string{}
	for _, resource := range watched {
		list := must(s.source.Resource(resource).Namespace(s.namespace).List(context.Background(), metav1.ListOptions{}))(s)
		for _, object := range list.Items {
			uids = append(uids, string(object.GetUID()), "uid of "+object.GetName())
			portrait[object.GetKind()+"/"+object.GetName()] = lasting(&object)
		}
	}
	for name, data := range s.revisionData() {
		portrait["data of "+name] = data
	}
	replacer := strings.NewReplacer(append(uids, s.namespace, "NAMESPACE")...)
	for name := range portrait {
		portrait[name] = replacer.Replace(portrait[name])
	}
	return portrait
}

// bindersNote matches the annotations that volume binding writes on a claim.
var bindersNote = regexp.MustCompile(`^(pv|volume|volume\.beta)\.kubernetes\.io/`)

// lasting returns an object without what depends on time and place.
func lasting(object *unstructured.Unstructured) string {
	remove := [][]string{
		{"metadata", "uid"}, {"metadata", "resourceVersion"}, {"metadata", "creationTimestamp"}, {"metadata", "managedFields"},
	}
	switch object.GetKind() {
	case "StatefulSet": // only ours writes conditions; see StatusConditions in docs/rules.md
		remove = append(remove, []string{"status", "conditions"})
	case "Pod":
		remove = append(remove, []string{"spec", "nodeName"}, []string{"status"})
	case "PersistentVolumeClaim":
		remove = append(remove, []string{"spec", "volumeName"}, []string{"status"})
		annotations := object.GetAnnotations()
		maps.DeleteFunc(annotations, func(key, _ string) bool { return bindersNote.MatchString(key) })
		object.SetAnnotations(annotations)
	}
	for _, path := range remove {
		unstructured.RemoveNestedField(object.Object, path...)
	}
	text, _ := json.MarshalIndent(object.Object, "", " ") // it came as JSON
	return string(text)
}

// revisionData returns the data of the revisions as the API server sends them, without decoding.
func (s *scene) revisionData() map[string]string {
	s.Helper()
	body := must(s.client.AppsV1().RESTClient().Get().Namespace(s.namespace).Resource("controllerrevisions").
		SetHeader("Accept", "application/json").DoRaw(context.Background()))(s)
	var list struct {
		Items []struct {
			Metadata struct{ Name string }
			Data     json.RawMessage
		}
	}
	noError(s, json.Unmarshal(body, &list))
	data := map[string]string{}
	for _, item := range list.Items {
		data[item.Metadata.Name] = string(bytes.TrimSpace(item.Data))
	}
	return data
}

// samePortrait compares what two controllers made of the same sets.
func samePortrait(s *scene, theirs, ours map[string]string) {
	s.Helper()
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		if diff := cmp.Diff(theirs[name], ours[name]); diff != "" {
			s.Errorf("%s differs (-built-in +ours):\n%s", name, diff)
		}
		delete(ours, name)
	}
	for name := range ours {
		s.Errorf("only ours has %s", name)
	}
}
