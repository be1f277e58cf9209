//go:build cgo

package main

// #include <stdint.h>
import "C"

import (
	"runtime/cgo"
	"time"
	"unsafe"

	"tarry/catalogue/shipped"
	"tarry/run/abi"
)

// tarry_start begins a run in the background; jobs, unless NULL, is a Parquet file of size bytes,
// which is copied. *handle is to be given to tarry_wait until that is not abi.Running, then to
// tarry_release.
//
//export tarry_start
func tarry_start(request *C.char, jobs unsafe.Pointer, size C.size_t, handle *C.uintptr_t,
	out **C.char) (status C.int) {
	defer caught(out, &status)
	r, err := abi.ParseRun([]byte(C.GoString(request)))
	if err != nil {
		return refuse(out, err)
	}
	var own []byte
	if jobs != nil {
		own = append([]byte{}, unsafe.Slice((*byte)(jobs), size)...)
	}
	*handle = C.uintptr_t(cgo.NewHandle(abi.Start(shipped.All(), r, own, nil)))
	return C.int(abi.OK)
}

// tarry_wait waits up to some milliseconds for a run. What it hands out is the report of a run that
// is done, or the error.
//
//export tarry_wait
func tarry_wait(handle C.uintptr_t, milliseconds C.int, out **C.char) (status C.int) {
	defer caught(out, &status)
	w, ok := valueOf(handle).(*abi.Work)
	if !ok {
		give(out, "result is closed")
		return C.int(abi.Closed)
	}
	switch s := w.Wait(time.After(time.Duration(milliseconds) * time.Millisecond)); s {
	case abi.Running:
		return C.int(s)
	case abi.OK:
		return giveJSON(out, w.Report())
	default:
		give(out, w.Fault())
		return C.int(s)
	}
}

// tarry_cancel lets a run end soon; tarry_wait states when it has.
//
//export tarry_cancel
func tarry_cancel(handle C.uintptr_t) C.int {
	w, ok := valueOf(handle).(*abi.Work)
	if !ok {
		return C.int(abi.Closed)
	}
	w.Cancel()
	return C.int(abi.OK)
}

// tarry_trace gives the spelling of a trace that is handed over as a Parquet file.
//
//export tarry_trace
func tarry_trace(jobs unsafe.Pointer, size C.size_t, out **C.char) (status C.int) {
	defer caught(out, &status)
	give(out, abi.OwnJobs(unsafe.Slice((*byte)(jobs), size)))
	return C.int(abi.OK)
}
