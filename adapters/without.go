package adapters

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// ErrNotHere is the failure of an action that Options.Without excludes for its set.
var ErrNotHere = errors.New("this adapter must not do that to this set")

// capabilities is what a planner may plan for a set.
func (l *Loop) capabilities(key Key) []setplanv1.Capability {
	if l.options.Without == nil {
		return l.options.Capabilities
	}
	without := l.options.Without(key)
	return slices.DeleteFunc(slices.Clone(l.options.Capabilities), func(c setplanv1.Capability) bool { return slices.Contains(without, c) })
}

// refuses is the error of an action that came although the request had excluded it.
func (l *Loop) refuses(key Key, action *setplanv1.Action) error {
	if l.options.Without == nil {
		return nil
	}
	needed := setplanv1.Capability(setplanv1.Capability_value["CAPABILITY_"+strings.ToUpper(OperationName(action))])
	if slices.Contains(l.options.Without(key), needed) {
		return fmt.Errorf("%w: %s", ErrNotHere, OperationName(action))
	}
	return nil
}
