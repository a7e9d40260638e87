package model

// ResizableKey is one of the four amounts of a container that may change while it stays, and where specs have it.
type ResizableKey struct {
	List, Resource string
	Of             func(*Resources) *string
}

// Resizable are the four, in the order of their names.
var Resizable = [...]ResizableKey{
	{"limits", "cpu", func(r *Resources) *string { return &r.Limits.CPU }},
	{"limits", "memory", func(r *Resources) *string { return &r.Limits.Memory }},
	{"requests", "cpu", func(r *Resources) *string { return &r.Requests.CPU }},
	{"requests", "memory", func(r *Resources) *string { return &r.Requests.Memory }},
}
