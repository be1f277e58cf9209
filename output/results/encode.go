package results

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
)

// encoder holds the column buffers that row groups share.
type encoder struct {
	f64 []float64
	i64 []int64
	i32 []int32
	str []parquet.ByteArray
}

// column writes the field of all rows.
func (e *encoder) column(w file.ColumnChunkWriter, chunk statistics, c column, rows reflect.Value) error {
	var err error
	switch w := w.(type) {
	case *file.Float64ColumnChunkWriter:
		e.f64 = gather(e.f64, rows, c.index, reflect.Value.Float)
		err = e.numbers(w, chunk)
	case *file.Int32ColumnChunkWriter:
		e.i32 = gather(e.i32, rows, c.index, func(v reflect.Value) int32 { return int32(v.Int()) })
		_, err = w.WriteBatch(e.i32, nil, nil)
	case *file.Int64ColumnChunkWriter:
		get := reflect.Value.Int
		if c.kind == reflect.Uint64 {
			get = func(v reflect.Value) int64 { return int64(v.Uint()) }
		}
		e.i64 = gather(e.i64, rows, c.index, get)
		if c.signed {
			if err := checkSeeds(e.i64); err != nil {
				return err
			}
		}
		_, err = w.WriteBatch(e.i64, nil, nil)
	case *file.ByteArrayColumnChunkWriter:
		e.str = gather(e.str, rows, c.index, bytesOf)
		err = e.texts(w, chunk)
	default:
		err = fmt.Errorf("no writer for %T", w)
	}
	return err
}

// checkSeeds refuses seeds that a signed integer does not hold.
func checkSeeds(seeds []int64) error {
	for i, v := range seeds {
		if v < -1 {
			return fmt.Errorf("row %d has %d, expected at most %d", i, uint64(v), int64(maxSeed))
		}
	}
	return nil
}

// gather copies one field of all rows into dst.
func gather[V any](dst []V, rows reflect.Value, index []int, get func(reflect.Value) V) []V {
	dst = dst[:0]
	for i := range rows.Len() {
		dst = append(dst, get(rows.Index(i).FieldByIndex(index)))
	}
	return dst
}

// bytesOf views a string as bytes without a copy; the Parquet writer only reads them.
func bytesOf(v reflect.Value) parquet.ByteArray {
	s := v.String()
	return unsafe.Slice(unsafe.StringData(s), len(s))
}
