package cluster

import (
	"context"
	"fmt"
	"slices"
)

// Builtin says where the built-in StatefulSet controller runs.
type Builtin string

const (
	// BuiltinOn is the usual place: the controller manager, beside the others.
	BuiltinOn Builtin = "on"
	// BuiltinOff leaves the place free for another controller.
	BuiltinOff Builtin = "off"
	// BuiltinAlone is a process of its own, whose costs are its own.
	BuiltinAlone Builtin = "alone"
)

// ParseBuiltin reads what commands call it.
func ParseBuiltin(value string) (Builtin, error) {
	switch b := Builtin(value); b {
	case BuiltinOn, BuiltinOff, BuiltinAlone:
		return b, nil
	}
	return "", fmt.Errorf("got %q, want on, off or alone", value)
}

// Components are the components that the instance consists of, in starting order.
func (i *Instance) Components() []Component { return i.components(i.Builtin == BuiltinAlone) }

// possible are those and the one that SetBuiltin may add.
func (i *Instance) possible() []Component { return i.components(true) }

func (i *Instance) components(alone bool) []Component {
	var wanted []Component
	for _, c := range Components {
		switch {
		case c == Kwok && i.Real:
			wanted = append(append(wanted, Network, Storage), i.nodes()...)
		case c != StatefulSetController || alone:
			wanted = append(wanted, c)
		}
	}
	return wanted
}

func (i *Instance) has(c Component) bool { return slices.Contains(i.Components(), c) }

// SetBuiltin moves the built-in StatefulSet controller. The controller manager
// has no switch for it, so it is restarted where that is needed; the controller
// is never there twice, because the old one is gone before the new one starts.
func (i *Instance) SetBuiltin(ctx context.Context, to Builtin) error {
	return i.locked(func() error {
		if i.Builtin == to {
			return nil
		}
		changed := []Component{StatefulSetController}
		if i.Builtin == BuiltinOn || to == BuiltinOn {
			changed = []Component{ControllerManager, StatefulSetController}
		}
		for _, c := range changed {
			if err := i.stop(c); err != nil {
				return err
			}
		}
		i.Builtin = to
		if err := i.save(); err != nil {
			return err
		}
		for _, c := range changed {
			if !i.has(c) {
				continue
			}
			if err := i.start(ctx, c); err != nil {
				return err
			}
		}
		return nil
	})
}
