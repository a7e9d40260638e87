//go:build wasip1

// Command setplan-wasm is the planner as a module for programs in any language: docs/wasm.md. It is built by
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -ldflags='-s -w'
package main

import (
	"runtime/debug"
	"unsafe"

	"github.com/setplan/setplan/server/wasm"
)

// memoryLimit is where the collector begins to work harder. What a request may take at most is less than a host should give: see docs/wasm.md.
const memoryLimit = 256 << 20

var input, answer []byte

func init() { debug.SetMemoryLimit(memoryLimit) }

func main() {}

// setplanInput makes room for a request, and returns its address; 0 if it is too large. What was answered before is gone.
//
//go:wasmexport setplan_input
func setplanInput(size int32) uint32 {
	input, answer = nil, nil
	if size < 0 || size > wasm.MaxRequest {
		return 0
	}
	input = make([]byte, size+1) // also an empty request has an address
	return address(input)
}

// setplanCall answers the request, and returns the size of the answer.
//
//go:wasmexport setplan_call
func setplanCall(method, size int32) int32 {
	request := input[:min(max(int(size), 0), max(len(input)-1, 0))]
	answer = wasm.Answer(method, request)
	return int32(len(answer))
}

// setplanAnswer is the address of the answer.
//
//go:wasmexport setplan_answer
func setplanAnswer() uint32 { return address(answer) }

func address(of []byte) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(of)))) }
