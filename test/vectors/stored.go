package vectors

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	files "github.com/setplan/setplan/proto/vectors"
)

// Sums names the file with a line for each vector that is made: its checksum and its name. It shows what changes in those that are not stored.
const Sums = "SUMS"

// Stored picks the vectors that are part of each checkout: enough to show each name of the contract, and one of each area. The others are
// made when something tests with them.
func Stored(made []*files.Vector) ([]*files.Vector, error) {
	shows, sizes := map[*files.Vector][]protoreflect.FullName{}, map[*files.Vector]int{}
	for _, v := range made {
		text, err := v.Encode()
		if err != nil {
			return nil, err
		}
		names, err := namesIn(v)
		if err != nil {
			return nil, err
		}
		names[protoreflect.FullName(path.Dir(v.Name))] = true
		shows[v], sizes[v] = slices.Collect(maps.Keys(names)), len(text)
	}
	bySize := slices.SortedFunc(slices.Values(made), func(a, b *files.Vector) int {
		return cmp.Or(sizes[a]-sizes[b], strings.Compare(a.Name, b.Name))
	})
	// Those that show something that no smaller one shows, without those whose all is in larger ones.
	times := map[protoreflect.FullName]int{}
	stored := slices.DeleteFunc(bySize, func(v *files.Vector) bool {
		if !slices.ContainsFunc(shows[v], func(name protoreflect.FullName) bool { return times[name] == 0 }) {
			return true
		}
		for _, name := range shows[v] {
			times[name]++
		}
		return false
	})
	stored = slices.DeleteFunc(stored, func(v *files.Vector) bool {
		if slices.ContainsFunc(shows[v], func(name protoreflect.FullName) bool { return times[name] == 1 }) {
			return false
		}
		for _, name := range shows[v] {
			times[name]--
		}
		return true
	})
	return stored, nil
}

// namesIn are the names of the contract that a vector shows.
func namesIn(v *files.Vector) (files.Names, error) {
	names := files.Names{}
	if v.Request != nil {
		request, err := v.PlanRequest()
		if err != nil {
			return nil, err
		}
		names.Add(request)
	}
	if v.Error != nil {
		names.AddReason(v.Error)
		return names, nil
	}
	plan, err := v.WantedPlan()
	if err != nil {
		return nil, err
	}
	names.Add(&setplanv1.PlanResponse{Plan: plan})
	return names, nil
}

// SumsOf is the text of Sums.
func SumsOf(made []*files.Vector) (string, error) {
	var sums strings.Builder
	for _, v := range made {
		text, err := v.Encode()
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(text), v.Name)
	}
	return sums.String(), nil
}
