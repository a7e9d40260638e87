package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
)

// sought is what arguments name: sets of one kind. Without a name it is every set of it.
type sought struct {
	kind  kube.SetKind
	names []string
}

// sought reads "web", "sts/web", "ssts/web" and, for every set of a kind, "ssts/". Without a kind it is apps/v1's, as everywhere in this
// program.
func (o *options) sought(args []string) (sought, error) {
	out := sought{kind: kube.StatefulSets()}
	for i, arg := range args {
		word, name, typed := strings.Cut(arg, "/")
		switch {
		case !typed:
			word, name = "", arg
		case name == "" && word != "" && len(args) == 1:
			kind, err := o.kindCalled(word)
			return sought{kind: kind}, err
		}
		if name == "" || typed && word == "" || strings.Contains(name, "/") {
			return sought{}, fmt.Errorf("%q is not the name of a set; write web, sts/web or ssts/web", arg)
		}
		kind, err := o.kindCalled(word)
		if err != nil {
			return sought{}, err
		}
		if i > 0 && kind != out.kind {
			return sought{}, fmt.Errorf("%s and %s are of two kinds; name sets of one kind at a time", args[0], arg)
		}
		out.kind, out.names = kind, append(out.names, name)
	}
	return out, nil
}

// oneSought is for commands that take one set.
func (o *options) oneSought(arg string) (sought, error) {
	what, err := o.sought([]string{arg})
	if err == nil && len(what.names) == 0 {
		err = fmt.Errorf("%q is not the name of a set; write web, sts/web or ssts/web", arg)
	}
	return what, err
}

// argument is how the program, and kubectl, are told of a set.
func argument(kind kube.SetKind, name string) string {
	switch kind {
	case kube.StatefulSets():
		return "sts/" + name
	case ownKind:
		return "ssts/" + name
	default:
		return kind.Name() + "/" + name
	}
}

// notThere is of a set, or of all sets of a kind, that somebody may have meant of another kind.
type notThere struct {
	error
	name string // empty: there is none at all
}

// pick picks the named sets from the existing ones; no names means all.
func (s sought) pick(there []adapters.Key, namespace string) ([]adapters.Key, error) {
	where, kinds := place(namespace), fmt.Sprintf("%s %ss", s.kind.APIVersion(), s.kind.Kind)
	switch {
	case len(there) == 0 && len(s.names) == 0:
		return nil, notThere{error: fmt.Errorf("no %s found in %s", kinds, where)}
	case len(s.names) == 0:
		return there, nil
	}
	var picked []adapters.Key
	for _, name := range s.names {
		var found []adapters.Key
		for _, key := range there {
			if key.Name == name {
				found = append(found, key)
			}
		}
		missing := fmt.Sprintf("%s %q not found in %s", s.kind.Kind, name, where)
		switch {
		case len(found) == 1:
			picked = append(picked, found[0])
		case len(found) > 1:
			return nil, fmt.Errorf("several sets are called %q, choose one with --namespace: %s", name, list(found))
		case len(there) == 0:
			return nil, notThere{fmt.Errorf("%s, which has no %s", missing, kinds), name}
		case slices.Contains(kindNames, strings.ToLower(name)) && len(s.names) > 1:
			return nil, fmt.Errorf("%s; kind and name are one word, such as sts/web", missing)
		default:
			return nil, notThere{fmt.Errorf("%s, which has: %s", missing, list(there)), name}
		}
	}
	return picked, nil
}

// orElsewhere adds to the error about a set that is not there that there is one of the name of the other usual kind. Who may not read that
// is told what there is to tell.
func (o *options) orElsewhere(ctx context.Context, what sought, err error) error {
	none, is := err.(notThere)
	if !is {
		return err
	}
	other := sought{kind: ownKind}
	if what.kind != kube.StatefulSets() {
		other.kind = kube.StatefulSets()
	}
	there, failed := o.setsThere(ctx, other.kind)
	if failed != nil {
		return none.error
	}
	for _, key := range there {
		switch none.name {
		case "":
			return fmt.Errorf("%w; there are some of %s: write %s", err, other.kind.APIVersion(), argument(other.kind, ""))
		case key.Name:
			return fmt.Errorf("%w; there is %s", err, argument(other.kind, key.Name))
		}
	}
	return none.error
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
