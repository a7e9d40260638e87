package kube

import "github.com/setplan/setplan/adapters"

// rounds is a fair queue: namespaces take turns, and the sets in each. Only a namespace with a thousand sets waits for a thousand.
// It is not safe for several goroutines.
type rounds[T any] struct {
	order []string // the namespaces that wait, the next one first
	of    map[string]*round[T]
	size  int
}

// round holds what waits in one namespace.
type round[T any] struct {
	order []string // the sets that wait
	of    map[string][]T
}

func (r *rounds[T]) push(key adapters.Key, item T) {
	if r.of == nil {
		r.of = map[string]*round[T]{}
	}
	namespace := r.of[key.Namespace]
	if namespace == nil {
		namespace = &round[T]{of: map[string][]T{}}
		r.of[key.Namespace] = namespace
		r.order = append(r.order, key.Namespace)
	}
	if len(namespace.of[key.Name]) == 0 {
		namespace.order = append(namespace.order, key.Name)
	}
	namespace.of[key.Name] = append(namespace.of[key.Name], item)
	r.size++
}

// pop takes the next item. The queue must not be empty.
func (r *rounds[T]) pop() T {
	name := r.order[0]
	r.order = r.order[1:]
	namespace := r.of[name]
	item := namespace.pop()
	if len(namespace.order) > 0 {
		r.order = append(r.order, name)
	} else {
		delete(r.of, name)
	}
	r.size--
	return item
}

func (r *round[T]) pop() T {
	set := r.order[0]
	r.order = r.order[1:]
	items := r.of[set]
	if len(items) > 1 {
		r.of[set] = items[1:]
		r.order = append(r.order, set)
	} else {
		delete(r.of, set)
	}
	return items[0]
}
