//go:build cgo

package main

// #include <stdint.h>
// #include <stdlib.h>
// #include "asking.h"
import "C"

import (
	"runtime/cgo"
	"time"
	"unsafe"

	"tarry/catalogue/shipped"
	"tarry/internal/release"
	"tarry/run/abi"
)

// beat is how often a caller that waits is asked whether it still does.
const beat = 20 * time.Millisecond

// tarry_measure measures policies of the caller's, as the request states, an abi.Measurement in
// JSON. They are asked on the calling thread: for policy number actor its buffers[actor] gets
// observation and mask, and ask(actor) writes the action and then 1 to *said. alive writes 1 to
// *said as long as the caller waits. decide is as in tarry_play. The status is Stopped where one of them did not. *handle has
// the tables, *out an abi.Found in JSON.
//
//export tarry_measure
func tarry_measure(request, library *C.char, buffers *C.struct_tarry_buffers, ask C.tarry_ask, decide C.tarry_decide,
	alive C.tarry_alive, said *C.int32_t, handle *C.uintptr_t, out **C.char) (status C.int) {
	defer caught(out, &status)
	m, err := abi.ParseMeasurement([]byte(C.GoString(request)))
	if err != nil {
		return refuse(out, err)
	}
	all, start := unsafe.Slice(buffers, len(m.Actors)), time.Now()
	own := newDecider(decide, said)
	defer own.release()
	caller := abi.Caller{Decider: own, Clock: func() time.Duration { return time.Since(start) },
		Version: release.Build(func() string { return release.CodeID(C.GoString(library)) }),
		Wait: func(done <-chan struct{}) bool {
			return wait(done, func() bool { return C.tarry_call_alive(alive, said) == 1 })
		},
		Ask: func(actor int, obs []float64, mask []bool, action []float64) bool {
			return question(&all[actor], func() bool { return C.tarry_call_ask(ask, C.int(actor), said) == 1 }, obs,
				mask, action)
		}}
	found, s, err := abi.Measure(shipped.All(), &m, &caller)
	if err != nil {
		give(out, err.Error())
		return C.int(s)
	}
	text, err := found.Found()
	if err != nil {
		return refuse(out, err)
	}
	if status = giveJSON(out, text); status == C.int(abi.OK) {
		*handle = C.uintptr_t(cgo.NewHandle(found))
	}
	return status
}

// question passes one question to the caller.
func question(b *C.struct_tarry_buffers, ask func() bool, obs []float64, mask []bool, action []float64) bool {
	copy(unsafe.Slice((*float64)(b.obs), len(obs)), obs)
	to := unsafe.Slice((*int8)(b.mask), len(mask))
	for i, legal := range mask {
		if to[i] = 0; legal {
			to[i] = 1
		}
	}
	if !ask() {
		return false
	}
	copy(action, unsafe.Slice((*float64)(b.action), len(action)))
	return true
}

// wait waits for done as long as the caller does.
func wait(done <-chan struct{}, alive func() bool) bool {
	t := time.NewTicker(beat)
	defer t.Stop()
	for {
		select {
		case <-done:
			return true
		case <-t.C:
			if !alive() {
				return false
			}
		}
	}
}
