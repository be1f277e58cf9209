//go:build cgo

package main

// #include <stdint.h>
// #include <stdlib.h>
import "C"

import (
	"encoding/json"
	"unsafe"

	"tarry/run/abi"
)

// give hands text out: *out is to be freed by tarry_free. out may be NULL.
func give(out **C.char, text string) {
	if out != nil {
		*out = C.CString(text)
	}
}

// giveJSON hands a value out as JSON.
func giveJSON(out **C.char, v any) C.int {
	text, err := json.Marshal(v)
	if err != nil {
		return refuse(out, err)
	}
	give(out, string(text))
	return C.int(abi.OK)
}

// refuse hands an error out.
func refuse(out **C.char, err error) C.int {
	give(out, err.Error())
	return C.int(abi.Refused)
}

// caught turns a panic into a status; it is deferred by every call.
func caught(out **C.char, status *C.int) {
	if p := recover(); p != nil {
		give(out, abi.Recovered(p).Error())
		*status = C.int(abi.Failed)
	}
}

//export tarry_free
func tarry_free(text *C.char) { C.free(unsafe.Pointer(text)) }
