package cli

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/world"
)

// chosen returns the sets of a namespace (empty means all) that are sought or the selector matches. All sets are read, whatever
// is chosen: two sets may share claim names, and the planner must see both.
func (o *options) chosen(w *world.World, namespace string, what sought) ([]adapters.Key, error) {
	there := w.Keys(namespace)
	if o.selector == "" {
		return what.pick(there, namespace)
	}
	if len(what.names) > 0 {
		return nil, errors.New("name sets, or give a selector, but not both")
	}
	keys, err := o.matching(w, there)
	if err == nil && len(keys) == 0 {
		err = fmt.Errorf("no %s in %s has labels that match %s", what.kind.Kind, place(namespace), o.selector)
	}
	return keys, err
}

// matching returns those of the sets that the selector matches.
func (o *options) matching(w *world.World, sets []adapters.Key) (keys []adapters.Key, err error) {
	selector, err := labels.Parse(o.selector)
	if err != nil {
		return nil, fmt.Errorf("--selector is %q: %w", o.selector, err)
	}
	for _, key := range sets {
		if selector.Matches(labels.Set(w.Set(key).GetLabels())) {
			keys = append(keys, key)
		}
	}
	return keys, nil
}
