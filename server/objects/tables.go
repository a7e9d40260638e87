package objects

import (
	"encoding/binary"
	"maps"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/setplan/setplan/proto/rawjson"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// annotationPrefix is that of the annotations of pods and claims that are in a snapshot.
const annotationPrefix = "setplan.io/"

// place is an entry by what it says, or by the JSON that says it.
type place struct{ table, text string }

// maxShared is how many texts an entry may hold, or bytes of JSON, that is looked for among the others. What is larger no two objects share, and it would have to be sorted.
const maxShared = 1000

// entry finds the index of an entry by what it says, or appends it. A new table gets its empty first entry. A nil key is found nowhere.
func entry[T any](b *builder, table string, key []byte, list *[]T, empty, value T) uint32 {
	if at, found := b.places[place{table, string(key)}]; found && key != nil {
		return at
	}
	if len(*list) == 0 {
		*list, b.from[table] = append(*list, empty), append(b.from[table], nil)
	}
	*list, b.from[table] = append(*list, value), append(b.from[table], b.at)
	at := uint32(len(*list) - 1)
	if key != nil {
		b.places[place{table, string(key)}] = at
	}
	return at
}

// texts are strings after their lengths: they may hold any character.
func texts(key []byte, all ...string) []byte {
	for _, text := range all {
		key = append(binary.AppendUvarint(key, uint64(len(text))), text...)
	}
	return key
}

func pairs(of map[string]string) (key []byte) {
	if len(of) > maxShared {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		key = texts(key, name, of[name])
	}
	return key
}

func (b *builder) labelSet(labels map[string]string) uint32 {
	if len(labels) == 0 {
		return 0
	}
	return entry(b, "tables.label_sets", pairs(labels), &b.tables.LabelSets, &setplanv1.LabelSet{}, &setplanv1.LabelSet{Labels: labels})
}

func (b *builder) revisionName(name string) uint32 {
	return entry(b, "tables.revision_names", []byte(name), &b.tables.RevisionNames, "", name)
}

func (b *builder) volumeSet(names []string) uint32 {
	if len(names) == 0 {
		return 0
	}
	return entry(b, "tables.volume_sets", texts(nil, names...), &b.tables.VolumeSets, &setplanv1.VolumeSet{}, &setplanv1.VolumeSet{Volumes: names})
}

// annotations are those that snapshots carry of pods and claims.
func (b *builder) annotations(v rawjson.Value) uint32 {
	own := b.strings(v, annotationPrefix)
	if len(own) == 0 {
		return 0
	}
	return entry(b, "tables.annotation_sets", pairs(own), &b.tables.AnnotationSets, &setplanv1.AnnotationSet{}, &setplanv1.AnnotationSet{Annotations: own})
}

// owners of nearly all objects are the same, to the letter, and are read once.
func (b *builder) owners(v rawjson.Value) uint32 {
	said := place{"metadata.ownerReferences", string(v.Raw())}
	if at, found := b.places[said]; found {
		return at
	}
	out := &setplanv1.OwnerSet{}
	for w := b.items(v); w.Next(); {
		r := &setplanv1.OwnerReference{}
		b.read(w.Value, field{"apiVersion", &r.ApiVersion}, field{"kind", &r.Kind}, field{"name", &r.Name}, field{"uid", &r.Uid},
			field{"controller", &r.Controller}, field{"blockOwnerDeletion", &r.BlockOwnerDeletion})
		out.Owners = append(out.Owners, r)
	}
	if len(out.Owners) == 0 {
		return 0
	}
	at := entry(b, "tables.owner_sets", keyOf(out), &b.tables.OwnerSets, &setplanv1.OwnerSet{}, out)
	if len(said.text) <= maxShared {
		b.places[said] = at
	}
	return at
}

func (b *builder) claimStorage(storage *setplanv1.ClaimStorage) uint32 {
	key := keyOf(storage)
	if len(key) == 0 {
		return 0
	}
	return entry(b, "tables.claim_storages", key, &b.tables.ClaimStorages, &setplanv1.ClaimStorage{}, storage)
}

func keyOf(message proto.Message) []byte {
	key, err := proto.MarshalOptions{Deterministic: true}.Marshal(message)
	if err != nil {
		panic(err) // possible only with text that is not UTF-8, and rawjson reads none
	}
	return key
}
