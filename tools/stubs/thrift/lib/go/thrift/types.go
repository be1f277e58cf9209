// Package thrift stands in for github.com/apache/thrift/lib/go/thrift in tarry's program.
//
// Only Arrow's package parquet imports it, for the headers of pages and the footers of files, in
// the compact protocol and in memory. The whole package has clients and servers for HTTP and TLS
// beside five more protocols, 0.9 MB of a stripped library. Here is what Arrow's generated code
// calls, with its names.
//
// Reading guide: types.go (the vocabulary), write.go and read.go (the compact protocol), skip.go
// (fields that a reader has no name for), memory.go (where bytes come from and go to), errors.go.
package thrift

import "context"

// TType is the type of a field, a list's elements or a map's keys and values.
type TType byte

// The types.
const (
	STOP   = 0
	BOOL   = 2
	BYTE   = 3
	DOUBLE = 4
	I16    = 6
	I32    = 8
	I64    = 10
	STRING = 11
	STRUCT = 12
	MAP    = 13
	SET    = 14
	LIST   = 15
)

// ZERO is what generated code uses, so that it uses the package.
const ZERO = 0

// compactFalse is the second number of BOOL, false: in the header of a field, the type is the
// value.
const compactFalse = 2

// types lists the types by their number in the compact protocol, from 1 = true on.
func types() [13]TType {
	return [13]TType{STOP, BOOL, BOOL, BYTE, I16, I32, I64, DOUBLE, STRING, LIST, SET, MAP, STRUCT}
}

// TStruct is a generated structure.
type TStruct interface {
	Read(ctx context.Context, p TProtocol) error
	Write(ctx context.Context, p TProtocol) error
}

// BoolPtr, Int32Ptr, Int64Ptr, Float32Ptr and Float64Ptr give places with values: fields that may
// be absent.
func BoolPtr(v bool) *bool { return &v }

// Int32Ptr is BoolPtr of an int32.
func Int32Ptr(v int32) *int32 { return &v }

// Int64Ptr is BoolPtr of an int64.
func Int64Ptr(v int64) *int64 { return &v }

// Float32Ptr is BoolPtr of a float32.
func Float32Ptr(v float32) *float32 { return &v }

// Float64Ptr is BoolPtr of a float64.
func Float64Ptr(v float64) *float64 { return &v }
