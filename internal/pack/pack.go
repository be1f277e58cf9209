// Package pack writes state as bytes and reads it back: little-endian, preceded by a name, closed
// by a checksum. Equal state gives equal bytes in every process. A reader never panics: a short,
// flipped or foreign input is one error, reported by Err.
package pack

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
)

// Writer collects values.
type Writer struct{ buf []byte }

// NewWriter starts a record. The name states what it holds, with a version: "cartpole/1".
func NewWriter(name string) *Writer {
	w := &Writer{}
	w.Bytes([]byte(name))
	return w
}

// Uint64 adds a number.
func (w *Writer) Uint64(v uint64) { w.buf = binary.LittleEndian.AppendUint64(w.buf, v) }

// Int adds a number.
func (w *Writer) Int(v int) { w.Uint64(uint64(v)) }

// Bool adds a truth value.
func (w *Writer) Bool(v bool) {
	b := byte(0)
	if v {
		b = 1
	}
	w.buf = append(w.buf, b)
}

// Float64 adds a number, bit for bit.
func (w *Writer) Float64(v float64) { w.Uint64(math.Float64bits(v)) }

// Float64s adds a slice and its length.
func (w *Writer) Float64s(v []float64) {
	w.Int(len(v))
	for _, f := range v {
		w.Float64(f)
	}
}

// Bools adds a slice and its length.
func (w *Writer) Bools(v []bool) {
	w.Int(len(v))
	for _, b := range v {
		w.Bool(b)
	}
}

// Bytes adds a slice and its length.
func (w *Writer) Bytes(v []byte) {
	w.Int(len(v))
	w.buf = append(w.buf, v...)
}

// Seal closes the record with its checksum and gives its bytes. The writer is spent.
func (w *Writer) Seal() []byte {
	return binary.LittleEndian.AppendUint32(w.buf, crc32.Checksum(w.buf, crc32.MakeTable(crc32.Castagnoli)))
}

// Reader takes values out in the order in which they were written. After a fault every getter
// gives zero values, and Err and Close the first fault.
type Reader struct {
	buf []byte
	err error
}

// NewReader opens a record of that name.
func NewReader(name string, data []byte) *Reader {
	r := &Reader{}
	n := len(data) - 4
	if n < 0 || binary.LittleEndian.Uint32(data[n:]) != crc32.Checksum(data[:n], crc32.MakeTable(crc32.Castagnoli)) {
		r.err = fmt.Errorf("%s: %d bytes whose checksum is wrong: truncated or damaged", name, len(data))
		return r
	}
	r.buf = data[:n]
	if got := r.Bytes(); r.err != nil || string(got) != name {
		r.err = fmt.Errorf("the record is of %q, expected %q", got, name)
	}
	return r
}

// Fail notes a fault that the caller found, unless there is one already.
func (r *Reader) Fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Err is the first fault.
func (r *Reader) Err() error { return r.err }

// Close gives the first fault, or one when something is left over.
func (r *Reader) Close() error {
	if r.err == nil && len(r.buf) > 0 {
		r.err = fmt.Errorf("%d bytes are left over", len(r.buf))
	}
	return r.err
}

// take gives the next n bytes.
func (r *Reader) take(n int) []byte {
	if r.err == nil && (n < 0 || n > len(r.buf)) {
		r.err = fmt.Errorf("%d bytes are left, expected %d", len(r.buf), n)
	}
	if r.err != nil {
		return nil
	}
	out := r.buf[:n]
	r.buf = r.buf[n:]
	return out
}

// Uint64 reads a number.
func (r *Reader) Uint64() uint64 {
	b := r.take(8)
	if b == nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b)
}

// Int reads a number.
func (r *Reader) Int() int { return int(r.Uint64()) }

// Bool reads a truth value.
func (r *Reader) Bool() bool {
	b := r.take(1)
	if b == nil {
		return false
	}
	if b[0] > 1 {
		r.err = fmt.Errorf("a truth value is %d, expected 0 or 1", b[0])
	}
	return b[0] == 1
}

// Float64 reads a number.
func (r *Reader) Float64() float64 { return math.Float64frombits(r.Uint64()) }

// length reads a slice's length, of elements of size bytes.
func (r *Reader) length(size int) int {
	n := r.Uint64()
	if r.err == nil && n > uint64(len(r.buf)/size) {
		r.err = fmt.Errorf("%d elements are announced, %d bytes are left", n, len(r.buf))
	}
	if r.err != nil {
		return 0
	}
	return int(n)
}

// Float64s reads a slice into dst, whose length must fit.
func (r *Reader) Float64s(dst []float64) {
	if n := r.length(8); r.err == nil && n != len(dst) {
		r.err = fmt.Errorf("%d numbers, expected %d", n, len(dst))
	}
	for i := range dst {
		dst[i] = r.Float64()
	}
}

// Bools reads a slice into dst, whose length must fit.
func (r *Reader) Bools(dst []bool) {
	if n := r.length(1); r.err == nil && n != len(dst) {
		r.err = fmt.Errorf("%d truth values, expected %d", n, len(dst))
	}
	for i := range dst {
		dst[i] = r.Bool()
	}
}

// Bytes reads a slice; it is part of the input.
func (r *Reader) Bytes() []byte { return r.take(r.length(1)) }
