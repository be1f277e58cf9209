//go:build cgo

package main

// #include <stdint.h>
import "C"

import (
	"fmt"
	"math"
	"runtime/cgo"
	"unsafe"

	"tarry/catalogue/envs"
	"tarry/catalogue/simulation"
	"tarry/run/abi"
)

// groupOf is what a handle stands for; nil = it is closed, or never was one.
func groupOf(h C.uintptr_t) (g *abi.Group) {
	defer func() { _ = recover() }() // package cgo panics on an unknown handle
	g, _ = cgo.Handle(h).Value().(*abi.Group)
	return g
}

//export tarry_open
func tarry_open(request *C.char, handle *C.uintptr_t, out **C.char) (status C.int) {
	defer caught(out, &status)
	r, err := abi.ParseRequest([]byte(C.GoString(request)))
	if err != nil {
		return refuse(out, err)
	}
	g, err := abi.Open(envs.All(), simulation.All(), r)
	if err != nil {
		return refuse(out, err)
	}
	if status = giveJSON(out, g.Describe()); status != C.int(abi.OK) {
		g.Close()
		return status
	}
	h := cgo.NewHandle(g)
	if h > math.MaxInt32 {
		h.Delete()
		g.Close()
		return refuse(out, fmt.Errorf("%d handles were given, expected fewer than 2^31", h))
	}
	*handle = C.uintptr_t(h)
	return status
}

//export tarry_bind
func tarry_bind(handle C.uintptr_t, memory unsafe.Pointer, size C.size_t) C.int {
	g := groupOf(handle)
	if g == nil {
		return C.int(abi.Closed)
	}
	if memory == nil {
		size = 0
	}
	return C.int(g.Bind(unsafe.Slice((*byte)(memory), size)))
}

//export tarry_reset
func tarry_reset(handle C.uintptr_t, options *C.char) C.int {
	g := groupOf(handle)
	if g == nil {
		return C.int(abi.Closed)
	}
	return C.int(g.Reset(C.GoString(options)))
}

// tarry_step steps a group. Its handle is an int, which ctypes passes twice as fast as other types.
//
//export tarry_step
func tarry_step(handle C.int) C.int {
	g := groupOf(C.uintptr_t(handle))
	if g == nil {
		return C.int(abi.Closed)
	}
	return C.int(g.Step())
}

//export tarry_fault
func tarry_fault(handle C.uintptr_t, out **C.char) (status C.int) {
	defer caught(out, &status)
	g := groupOf(handle)
	if g == nil {
		give(out, "environment is closed")
		return C.int(abi.Closed)
	}
	give(out, g.Fault())
	return C.int(abi.OK)
}

//export tarry_close
func tarry_close(handle C.uintptr_t) C.int {
	g := groupOf(handle)
	if g == nil {
		return C.int(abi.Closed)
	}
	status := g.Close()
	if status != abi.Busy && status != abi.Closed {
		cgo.Handle(handle).Delete()
	}
	return C.int(status)
}
