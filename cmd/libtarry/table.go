//go:build cgo

package main

// #include <stdlib.h>
// #include "arrow.h"
import "C"

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"runtime/cgo"
	"unsafe"

	"tarry/output/results"
	"tarry/run/abi"
)

// errMemory states that malloc gave none.
var errMemory = errors.New("not enough memory for the table")

// tarry_table hands out rows first to first+count of a table of what a handle stands for, as a
// struct array of the Arrow C data interface, in memory that malloc gave and that its own release
// frees. *array and *schema are the caller's.
//
//export tarry_table
func tarry_table(handle C.uintptr_t, name *C.char, first, count C.int64_t, array *C.struct_ArrowArray,
	schema *C.struct_ArrowSchema, out **C.char) (status C.int) {
	defer caught(out, &status)
	from, ok := valueOf(handle).(abi.Tabled)
	if !ok {
		give(out, "result is closed")
		return C.int(abi.Closed)
	}
	f, err := from.Table(C.GoString(name))
	if err != nil {
		return refuse(out, err)
	}
	if first < 0 || count < 0 || int64(first)+int64(count) > int64(f.Rows) {
		return refuse(out, fmt.Errorf("table %s: rows %d to %d, expected 0 to %d", f.Table, first, first+count, f.Rows))
	}
	array.release, schema.release = nil, nil
	if err := export(f, int(first), int(first+count), array, schema); err != nil {
		C.tarry_arrow_release(array, schema)
		return refuse(out, err)
	}
	return C.int(abi.OK)
}

// tarry_release gives up what a handle with tables stands for; the tables that were handed out
// stay.
//
//export tarry_release
func tarry_release(handle C.uintptr_t) C.int {
	if _, ok := valueOf(handle).(abi.Tabled); !ok {
		return C.int(abi.Closed)
	}
	cgo.Handle(handle).Delete()
	return C.int(abi.OK)
}

// valueOf is what a handle stands for; nil = it is closed, or never was one.
func valueOf(h C.uintptr_t) (v any) {
	defer func() { _ = recover() }() // package cgo panics on an unknown handle
	return cgo.Handle(h).Value()
}

// export fills array and schema; after an error they are to be released.
func export(f *results.Frame, from, to int, array *C.struct_ArrowArray, schema *C.struct_ArrowSchema) error {
	n := C.int64_t(len(f.Columns))
	if C.tarry_arrow_schema(schema, C.CString("+s"), C.CString(""), words(f.Words), n) != 0 ||
		C.tarry_arrow_array(array, C.int64_t(to-from), 1, n) != 0 {
		return errMemory
	}
	fields, arrays := unsafe.Slice(schema.children, n), unsafe.Slice(array.children, n)
	for i := range f.Columns {
		c := &f.Columns[i]
		if C.tarry_arrow_schema(fields[i], C.CString(formatOf(c.Kind)), C.CString(c.Name), words(c.Words), 0) != 0 {
			return errMemory
		}
		if err := column(f, i, from, to, arrays[i]); err != nil {
			return err
		}
	}
	return nil
}

// formatOf is the name of a type in the interface.
func formatOf(k reflect.Kind) string {
	return map[reflect.Kind]string{reflect.Float64: "g", reflect.Int64: "l", reflect.Int32: "i", reflect.Uint64: "L",
		reflect.String: "u"}[k]
}

// column fills the array of one column. The first buffer, of what is missing, stays NULL: nothing
// is.
func column(f *results.Frame, i, from, to int, array *C.struct_ArrowArray) error {
	rows := to - from
	if width := f.Columns[i].Width(); width > 0 {
		if C.tarry_arrow_array(array, C.int64_t(rows), 2, 0) != 0 {
			return errMemory
		}
		dst, err := buffer(array, 1, rows*width)
		if err == nil {
			f.Numbers(i, from, to, dst)
		}
		return err
	}
	if C.tarry_arrow_array(array, C.int64_t(rows), 3, 0) != 0 {
		return errMemory
	}
	begins, err := buffer(array, 1, 4*(rows+1))
	if err != nil {
		return err
	}
	dst, err := buffer(array, 2, f.TextBytes(i, from, to))
	if err != nil {
		return err
	}
	return f.Texts(i, from, to, unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(begins))), rows+1), dst)
}

// buffer gives memory of C that belongs to an array.
func buffer(array *C.struct_ArrowArray, index, bytes int) ([]byte, error) {
	p := C.tarry_arrow_buffer(array, C.int64_t(index), C.int64_t(bytes))
	if p == nil {
		return nil, errMemory
	}
	return unsafe.Slice((*byte)(p), bytes), nil
}

// words writes metadata as the interface has it: numbers of 32 bits before what they count.
func words(pairs [][2]string) *C.char {
	out := binary.NativeEndian.AppendUint32(nil, uint32(len(pairs)))
	for _, kv := range pairs {
		for _, text := range kv {
			out = append(binary.NativeEndian.AppendUint32(out, uint32(len(text))), text...)
		}
	}
	return (*C.char)(C.CBytes(out))
}
