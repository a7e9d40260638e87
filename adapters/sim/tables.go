package sim

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// tables collects what objects of a snapshot share. Index 0 means "none"; entry i has index i+1.
type tables struct {
	message *setplanv1.Tables
	index   map[string]uint32 // by kind of table and content
}

func newTables() *tables {
	return &tables{message: &setplanv1.Tables{}, index: map[string]uint32{}}
}

// intern returns the index of a value, adding it with add where it is new; add returns the new length of its table.
func (t *tables) intern(key string, add func() int) uint32 {
	index, known := t.index[key]
	if !known {
		index = uint32(add())
		t.index[key] = index
	}
	return index
}

func (t *tables) labels(labels map[string]string) uint32 {
	if len(labels) == 0 {
		return 0
	}
	return t.intern(fmt.Sprint("labels ", labels), func() int {
		t.message.LabelSets = append(t.message.LabelSets, &setplanv1.LabelSet{Labels: labels})
		return len(t.message.LabelSets)
	})
}

func (t *tables) owners(refs []metav1.OwnerReference) uint32 {
	if len(refs) == 0 {
		return 0
	}
	set := &setplanv1.OwnerSet{}
	for _, ref := range refs {
		set.Owners = append(set.Owners, &setplanv1.OwnerReference{
			ApiVersion: ref.APIVersion, Kind: ref.Kind, Name: ref.Name, Uid: string(ref.UID),
			Controller:         ref.Controller != nil && *ref.Controller,
			BlockOwnerDeletion: ref.BlockOwnerDeletion != nil && *ref.BlockOwnerDeletion,
		})
	}
	var key strings.Builder
	for _, o := range set.Owners {
		fmt.Fprintf(&key, "%q", []any{o.ApiVersion, o.Kind, o.Name, o.Uid, fmt.Sprint(o.Controller, o.BlockOwnerDeletion)})
	}
	return t.intern("owners "+key.String(), func() int {
		t.message.OwnerSets = append(t.message.OwnerSets, set)
		return len(t.message.OwnerSets)
	})
}

func (t *tables) revision(name string) uint32 {
	if name == "" {
		return 0
	}
	return t.intern("revision "+name, func() int {
		t.message.RevisionNames = append(t.message.RevisionNames, name)
		return len(t.message.RevisionNames)
	})
}

func (t *tables) volumes(volumes []string) uint32 {
	if len(volumes) == 0 {
		return 0
	}
	return t.intern(fmt.Sprintf("volumes %q", volumes), func() int {
		t.message.VolumeSets = append(t.message.VolumeSets, &setplanv1.VolumeSet{Volumes: volumes})
		return len(t.message.VolumeSets)
	})
}

func (t *tables) annotations(annotations map[string]string) uint32 {
	own := adapters.OwnAnnotations(annotations)
	if len(own) == 0 {
		return 0
	}
	return t.intern(fmt.Sprintf("annotations %q", own), func() int {
		t.message.AnnotationSets = append(t.message.AnnotationSets, &setplanv1.AnnotationSet{Annotations: own})
		return len(t.message.AnnotationSets)
	})
}
