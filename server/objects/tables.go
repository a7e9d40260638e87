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

// tables collect what objects share.
type tables struct {
	out    setplanv1.Tables
	places map[place]uint32
	from   [tableStorages + 1][]*origin // who had each entry first
}

type place struct {
	table uint8
	text  string
}

const (
	tableLabels uint8 = iota
	tableOwners
	tableRevisions
	tableVolumes
	tableAnnotations
	tableStorages
)

// maxShared is how much an entry may hold that is looked for among the others. What is larger no two objects share, and it would have to be sorted.
const maxShared = 1000

// entry finds the index of an entry by what it says, or appends it. A new table gets its empty first entry. A nil key is found nowhere.
func entry[T any](b *builder, table uint8, key []byte, list *[]T, empty, value T) uint32 {
	t := &b.tables
	if at, found := t.places[place{table, string(key)}]; found && key != nil {
		return at
	}
	if t.places == nil {
		t.places = map[place]uint32{}
	}
	if len(*list) == 0 {
		*list, t.from[table] = append(*list, empty), append(t.from[table], nil)
	}
	*list, t.from[table] = append(*list, value), append(t.from[table], b.at)
	at := uint32(len(*list) - 1)
	if key != nil {
		t.places[place{table, string(key)}] = at
	}
	return at
}

// part appends a text after its length: it may hold any character.
func part(key []byte, text string) []byte {
	return append(binary.AppendUvarint(key, uint64(len(text))), text...)
}

func pairs(texts map[string]string) (key []byte) {
	if len(texts) > maxShared {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		key = part(part(key, name), texts[name])
	}
	return key
}

func (b *builder) labelSet(labels map[string]string) uint32 {
	if len(labels) == 0 {
		return 0
	}
	return entry(b, tableLabels, pairs(labels), &b.tables.out.LabelSets, &setplanv1.LabelSet{}, &setplanv1.LabelSet{Labels: labels})
}

func (b *builder) revisionName(name string) uint32 {
	return entry(b, tableRevisions, []byte(name), &b.tables.out.RevisionNames, "", name)
}

func (b *builder) volumeSet(names []string) uint32 {
	var key []byte
	for _, name := range names {
		key = part(key, name)
	}
	if key == nil {
		return 0
	}
	return entry(b, tableVolumes, key, &b.tables.out.VolumeSets, &setplanv1.VolumeSet{}, &setplanv1.VolumeSet{Volumes: names})
}

// annotations are those that snapshots carry of pods and claims.
func (b *builder) annotations(v rawjson.Value) uint32 {
	own := b.strings(v, annotationPrefix)
	if len(own) == 0 {
		return 0
	}
	return entry(b, tableAnnotations, pairs(own), &b.tables.out.AnnotationSets, &setplanv1.AnnotationSet{}, &setplanv1.AnnotationSet{Annotations: own})
}

func (b *builder) owners(v rawjson.Value) uint32 {
	out := &setplanv1.OwnerSet{}
	var key []byte
	for _, item := range b.items(v) {
		r := &setplanv1.OwnerReference{}
		for name, member := range b.members(item) {
			switch string(name) {
			case "apiVersion":
				r.ApiVersion = b.text(member)
			case "kind":
				r.Kind = b.text(member)
			case "name":
				r.Name = b.text(member)
			case "uid":
				r.Uid = b.text(member)
			case "controller":
				r.Controller = b.flag(member)
			case "blockOwnerDeletion":
				r.BlockOwnerDeletion = b.flag(member)
			}
		}
		flags := byte(0)
		if r.Controller {
			flags |= 1
		}
		if r.BlockOwnerDeletion {
			flags |= 2
		}
		key = append(part(part(part(part(key, r.ApiVersion), r.Kind), r.Name), r.Uid), flags)
		out.Owners = append(out.Owners, r)
	}
	if key == nil {
		return 0
	}
	return entry(b, tableOwners, key, &b.tables.out.OwnerSets, &setplanv1.OwnerSet{}, out)
}

func (b *builder) claimStorage(storage *setplanv1.ClaimStorage) uint32 {
	key, err := proto.MarshalOptions{Deterministic: true}.Marshal(storage)
	if err != nil {
		panic(err) // possible only with text that is not UTF-8, and rawjson reads none
	}
	if len(key) == 0 {
		return 0
	}
	return entry(b, tableStorages, key, &b.tables.out.ClaimStorages, &setplanv1.ClaimStorage{}, storage)
}
