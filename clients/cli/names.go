package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/setplan/setplan/adapters"
)

// kindNames are the words that kubectl accepts for the kind, before the slash.
var kindNames = []string{"statefulset", "statefulsets", "sts", "statefulset.apps", "statefulsets.apps", "statefulset.v1.apps", "statefulsets.v1.apps"}

// setName returns the name in "web", "sts/web" and "statefulset/web".
func setName(arg string) (string, error) {
	kind, name, typed := strings.Cut(arg, "/")
	if !typed {
		kind, name = "", arg
	}
	switch {
	case name == "" || strings.Contains(name, "/"):
		return "", fmt.Errorf("%q is not the name of a set; write web, sts/web or statefulset/web", arg)
	case typed && !slices.Contains(kindNames, strings.ToLower(kind)):
		return "", fmt.Errorf("%q is not an apps/v1 StatefulSet, the only kind supported", arg)
	}
	return name, nil
}

// pick picks the named sets from the existing ones; no arguments means all.
func pick(there []adapters.Key, namespace string, args []string) ([]adapters.Key, error) {
	where := place(namespace)
	switch {
	case len(there) == 0 && len(args) == 0:
		return nil, fmt.Errorf("no apps/v1 StatefulSets found in %s", where)
	case len(args) == 0:
		return there, nil
	}
	var picked []adapters.Key
	for _, arg := range args {
		name, err := setName(arg)
		if err != nil {
			return nil, err
		}
		var found []adapters.Key
		for _, key := range there {
			if key.Name == name {
				found = append(found, key)
			}
		}
		switch len(found) {
		case 0:
			if len(there) == 0 {
				return nil, fmt.Errorf("StatefulSet %q not found in %s, which has no apps/v1 StatefulSets", name, where)
			}
			if slices.Contains(kindNames, strings.ToLower(name)) && len(args) > 1 {
				return nil, fmt.Errorf("StatefulSet %q not found in %s; kind and name are one word, such as sts/web", name, where)
			}
			return nil, fmt.Errorf("StatefulSet %q not found in %s, which has: %s", name, where, list(there))
		case 1:
			picked = append(picked, found[0])
		default:
			return nil, fmt.Errorf("several sets are called %q, choose one with --namespace: %s", name, list(found))
		}
	}
	return picked, nil
}

// place returns a namespace in words; empty means all.
func place(namespace string) string {
	if namespace == "" {
		return "any namespace"
	}
	return "namespace " + namespace
}

func list(keys []adapters.Key) string {
	names := make([]string, len(keys))
	for i, key := range keys {
		names[i] = key.String()
	}
	return strings.Join(names, ", ")
}
