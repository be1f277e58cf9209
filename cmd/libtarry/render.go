//go:build cgo

package main

// #include <stdint.h>
// #include <stdlib.h>
import "C"

import (
	"tarry/run/abi"
)

//export tarry_text
func tarry_text(handle C.uintptr_t, index C.int, out **C.char) (status C.int) {
	defer caught(out, &status)
	g := groupOf(handle)
	if g == nil {
		return C.int(abi.Closed)
	}
	text, s := g.Text(int(index))
	if s == abi.OK {
		give(out, text)
	}
	return C.int(s)
}

// tarry_picture hands out a picture row after row, four bytes a pixel (red, green, blue, 255); to
// be freed by tarry_free.
//
//export tarry_picture
func tarry_picture(handle C.uintptr_t, index C.int, width, height *C.int, out **C.char) (status C.int) {
	defer caught(out, &status)
	g := groupOf(handle)
	if g == nil {
		return C.int(abi.Closed)
	}
	p, s := g.Picture(int(index))
	if s == abi.OK {
		*width, *height = C.int(p.Rect.Dx()), C.int(p.Rect.Dy())
		*out = (*C.char)(C.CBytes(p.Pix))
	}
	return C.int(s)
}
