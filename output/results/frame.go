//go:build !js

package results

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Frame is a table in memory for readers that do not know its row type: columns of plain memory, as
// a Parquet file of the same rows and Meta has them.
type Frame struct {
	// Table names it, Rows is how many rows it has, Columns lists its columns.
	Table   string
	Rows    int
	Columns []FrameColumn
	// Words is the metadata of the file, pairs of key and value.
	Words [][2]string

	rows   any // keeps what base points to
	base   unsafe.Pointer
	stride uintptr
}

// FrameColumn is one column of a Frame.
type FrameColumn struct {
	Name string
	// Kind is Float64, Int64, Int32, Uint64 or String.
	Kind reflect.Kind
	// Words is the column's part of the data dictionary, pairs of key and value.
	Words [][2]string

	offset uintptr
}

// NewFrame makes a Frame over rows, which it reads when it is asked: they must not change any more.
func NewFrame[T Row](meta Meta, rows []T) (*Frame, error) {
	cols, err := columnsOf[T]()
	if err != nil {
		return nil, err
	}
	var zero T
	f := &Frame{Table: zero.Table(), Rows: len(rows), rows: rows, base: unsafe.Pointer(unsafe.SliceData(rows)),
		stride: unsafe.Sizeof(zero)}
	f.Words = meta.words(f.Table)
	for _, c := range cols {
		kind := c.kind
		if c.signed {
			kind = reflect.Int64
		}
		f.Columns = append(f.Columns, FrameColumn{c.name, kind, c.pairs(), offsetOf(reflect.TypeFor[T](), c.index)})
	}
	return f, nil
}

// offsetOf is where a field lies in its struct.
func offsetOf(t reflect.Type, index []int) (bytes uintptr) {
	for _, i := range index {
		f := t.Field(i)
		bytes += f.Offset
		t = f.Type
	}
	return bytes
}

// cell points to the value of a column in a row.
func (f *Frame) cell(column, row int) unsafe.Pointer {
	return unsafe.Add(f.base, uintptr(row)*f.stride+f.Columns[column].offset)
}

// Width is the bytes of a number of a column; 0 = it is text.
func (c *FrameColumn) Width() int {
	switch c.Kind {
	case reflect.String:
		return 0
	case reflect.Int32:
		return 4
	}
	return 8
}

// Numbers copies the numbers of a column in rows from to to, in the byte order of the machine.
func (f *Frame) Numbers(column, from, to int, dst []byte) {
	width := f.Columns[column].Width()
	for row := from; row < to; row++ {
		copy(dst[(row-from)*width:], unsafe.Slice((*byte)(f.cell(column, row)), width))
	}
}

// TextBytes is how many bytes the texts of a column have in rows from to to.
func (f *Frame) TextBytes(column, from, to int) (bytes int) {
	for row := from; row < to; row++ {
		bytes += len(*(*string)(f.cell(column, row)))
	}
	return bytes
}

// Texts copies the texts of a column one behind the other, and where each begins; the last of
// begins is where the last text ends. It fails where 32 bits do not hold that.
func (f *Frame) Texts(column, from, to int, begins []int32, dst []byte) error {
	if int64(len(dst)) > 1<<31-1 {
		return fmt.Errorf("results: table %s: column %q has %d bytes of text in rows %d to %d, expected at most %d",
			f.Table, f.Columns[column].Name, len(dst), from, to, 1<<31-1)
	}
	at := 0
	for row := from; row < to; row++ {
		begins[row-from] = int32(at)
		at += copy(dst[at:], *(*string)(f.cell(column, row)))
	}
	begins[to-from] = int32(at)
	return nil
}
