// Package scenario has the demos as data: what the user types, what is said, and what is waited for. setplan-demo plays them
// on a real control plane.
package scenario

import "time"

// Scenario is a demo.
type Scenario struct {
	Intro    string
	BuiltIn  bool   // the built-in controller acts first
	Narrated bool   // lines of the adapter between the commands; else kubectl alone speaks
	File     string // name of the manifest
	Manifest []byte
	Set      string
	Steps    []Step
	Recount  string // the pod whose actions are listed at the end; empty: a summary is
}

// Step is one thing that the user does, or waits for.
type Step struct {
	TakeOver bool   // the built-in controller is switched off, and ours begins
	Say      string // a heading
	Command  string // what the user types after kubectl; empty: nothing
	About    string // what it is for
	Until    Condition
	Pause    time.Duration // afterwards, in which Until must stay true
	Then     string        // said afterwards
	Show     []string      // what kubectl gets afterwards
}

// Condition is what a step waits for.
type Condition struct {
	What What
	// Of pods, the image that the pod runs. Of values, the objects, the jsonpath of the value, and the value itself: empty
	// stands for any.
	Pod, Image           string
	Objects, Path, Value string
}

// What is waited for.
type What uint8

// What a step waits for.
const (
	Settled What = iota // the set is in the desired state, or as far as its partition lets it come
	Left                // nothing is left of the set
	Runs                // a pod runs an image, and who acts has seen the newest template
	Shows               // kubectl get shows a value
)
