package vectors

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	setplan "github.com/setplan/setplan/clients/go"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	files "github.com/setplan/setplan/proto/vectors"
)

// corpusFile is a set as one version of Kubernetes serves it, with what its controller has made, and as later versions serve it.
type corpusFile struct {
	Version, RevisionName string
	Set                   json.RawMessage
	Revision              json.RawMessage
	Pods                  []json.RawMessage
	Later                 []struct {
		Versions []string
		Set      json.RawMessage
	}
}

// newly are the versions of whose sets there are also vectors without a revision: the plan makes the one that the version's own
// controller made. Of the set with every field, which is long, there are the first and the last.
var newly = []string{"v0.24.0", "v0.33.0", "v0.37.0"}

// fromCorpus takes sets over from each version, as the newest one serves them. What a version and the one before it say alike is
// there once.
func fromCorpus(folder string) ([]*draft, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*", "*.json"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no corpus in %s: %w", folder, err)
	}
	var all []*draft
	said := map[string]bool{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		file := corpusFile{}
		if err := json.Unmarshal(text, &file); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		more, err := file.drafts(strings.TrimSuffix(filepath.Base(path), ".json"))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for _, d := range more {
			text, err := spelledOut(d.request.GetSnapshot())
			if err != nil {
				return nil, err
			}
			if !said[string(text)] {
				all = append(all, d)
			}
			said[string(text)] = true
		}
	}
	return all, nil
}

func (f *corpusFile) drafts(set string) ([]*draft, error) {
	minor := "1." + strings.Split(f.Version, ".")[1]
	serves, served := minor, f.Set
	if later := f.Later; len(later) > 0 {
		last := later[len(later)-1]
		serves, served = "1."+strings.Split(last.Versions[len(last.Versions)-1], ".")[1], last.Set
	}
	var all []*draft
	if set != "full" && (set != "newer" || slices.Contains(newly, f.Version)) { // both are long; their revisions below say much the same
		about := fmt.Sprintf("A set that Kubernetes %s has run, as %s serves it: taking it over changes nothing.", minor, serves)
		claims, err := mounted(f.Pods)
		if err != nil {
			return nil, err
		}
		d, err := drawn("corpus/"+set+"-"+minor, about,
			&files.Objects{Set: served, Pods: f.Pods, Claims: claims, Revisions: []json.RawMessage{f.Revision}}, noon)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	for _, version := range newly {
		if version == f.Version && (set != "full" || version == newly[0] || version == newly[len(newly)-1]) {
			about := fmt.Sprintf("A new set, as Kubernetes %s serves it: its revision is %s, as that version's own controller calls it.", minor, f.RevisionName)
			d, err := drawn("corpus/"+set+"-"+minor+"-new", about, &files.Objects{Set: f.Set}, noon)
			if err != nil {
				return nil, err
			}
			all = append(all, d)
		}
	}
	return all, nil
}

// noon is when sets of the corpus are looked at.
var noon = time.Date(2026, time.January, 1, 12, 0, 0, 0, time.UTC)

// drawn is a vector of objects of which nothing else is known: everything is listed, and the caller can do all that there is.
func drawn(name, about string, objects *files.Objects, at time.Time) (*draft, error) {
	snapshot, err := build(objects, &setplanv1.Snapshot{ObservedAt: timestamppb.New(at),
		Coverage: &setplanv1.Coverage{Pods: true, Claims: true, Revisions: true}})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &draft{Vector: files.Vector{Name: name, About: about, Objects: objects},
		request: &setplanv1.PlanRequest{Snapshot: snapshot, Capabilities: setplan.Capabilities()}}, nil
}

// mounted are the claims of pods that were read without them.
func mounted(pods []json.RawMessage) ([]json.RawMessage, error) {
	var all []json.RawMessage
	for _, text := range pods {
		var pod corev1.Pod
		if err := json.Unmarshal(text, &pod); err != nil {
			return nil, err
		}
		for _, volume := range pod.Spec.Volumes {
			if volume.PersistentVolumeClaim == nil {
				continue
			}
			name := volume.PersistentVolumeClaim.ClaimName
			claim, err := served(&corev1.PersistentVolumeClaim{
				ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: pod.Namespace, UID: types.UID("uid-" + name), ResourceVersion: "1"},
				Status:     corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound},
			})
			if err != nil {
				return nil, err
			}
			all = append(all, claim)
		}
	}
	return all, nil
}
