package engine

// resizableKey is one of the four amounts of a container that may change while it stays, and where specs have it.
type resizableKey struct {
	list, resource string
	of             func(*Resources) *string
}

// resizable are the four, in the order of their names.
var resizable = [...]resizableKey{
	{"limits", "cpu", func(r *Resources) *string { return &r.Limits.CPU }},
	{"limits", "memory", func(r *Resources) *string { return &r.Limits.Memory }},
	{"requests", "cpu", func(r *Resources) *string { return &r.Requests.CPU }},
	{"requests", "memory", func(r *Resources) *string { return &r.Requests.Memory }},
}
