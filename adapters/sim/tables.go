package sim

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// tables collects what objects of a snapshot share. The first entry of a table is empty, so that index 0 means "none".
type tables struct {
	message *setplanv1.Tables
	index   map[string]uint32 // by kind of table and content
}

func newTables() *tables {
	return &tables{message: &setplanv1.Tables{}, index: map[string]uint32{}}
}

// intern returns the index of a value, adding it to its table where it is new.
func intern[T any](t *tables, key string, table *[]T, none, value T) uint32 {
	index, known := t.index[key]
	if !known {
		if len(*table) == 0 {
			*table = append(*table, none)
		}
		index = uint32(len(*table))
		*table = append(*table, value)
		t.index[key] = index
	}
	return index
}

func (t *tables) labels(labels map[string]string) uint32 {
	if len(labels) == 0 {
		return 0
	}
	return intern(t, fmt.Sprint("labels ", labels), &t.message.LabelSets, &setplanv1.LabelSet{}, &setplanv1.LabelSet{Labels: labels})
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
	return intern(t, "owners "+key.String(), &t.message.OwnerSets, &setplanv1.OwnerSet{}, set)
}

func (t *tables) revision(name string) uint32 {
	if name == "" {
		return 0
	}
	return intern(t, "revision "+name, &t.message.RevisionNames, "", name)
}

func (t *tables) volumes(volumes []string) uint32 {
	if len(volumes) == 0 {
		return 0
	}
	return intern(t, fmt.Sprintf("volumes %q", volumes), &t.message.VolumeSets, &setplanv1.VolumeSet{}, &setplanv1.VolumeSet{Volumes: volumes})
}

func (t *tables) annotations(annotations map[string]string) uint32 {
	own := adapters.OwnAnnotations(annotations)
	if len(own) == 0 {
		return 0
	}
	return intern(t, fmt.Sprintf("annotations %q", own), &t.message.AnnotationSets, &setplanv1.AnnotationSet{},
		&setplanv1.AnnotationSet{Annotations: own})
}
