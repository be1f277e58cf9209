//go:build !js

package results

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"unsafe"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
)

// batchRows is what a scan holds of a row group.
const batchRows = 1 << 10

// group reads one row group in batches: all columns advance together, so that
// memory does not grow with the row group that another program chose.
func (s *scanner[T]) group(g *file.RowGroupReader, cols []column, at []int, keys partCheck) error {
	left := g.NumRows()
	var readers []columnReader
	var absent []column
	for i, c := range cols {
		if at[i] < 0 {
			absent = append(absent, c)
			continue
		}
		r, err := g.Column(at[i])
		if err != nil {
			return fmt.Errorf("column %q: %w", c.name, err)
		}
		readers = append(readers, columnReader{column: c, at: offsetOf(reflect.TypeFor[T](), c.index), in: r})
	}
	rows := make([]T, 0, min(max(left, 0), batchRows))
	for left > 0 {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		rows = rows[:min(left, batchRows)]
		clear(rows)
		at := rowsAt{unsafe.Pointer(unsafe.SliceData(rows)), unsafe.Sizeof(rows[0]), len(rows)}
		for i := range readers {
			if err := readers[i].read(at); err != nil {
				return fmt.Errorf("column %q: %w", readers[i].name, err)
			}
		}
		for _, c := range absent {
			for i := range rows {
				c.clearTo(reflect.ValueOf(&rows[i]).Elem().FieldByIndex(c.index))
			}
		}
		if err := fill(keys, rows); err != nil {
			return err
		}
		s.inEach = true
		s.eachErr = s.each(rows)
		s.inEach = false
		if s.eachErr != nil {
			return s.eachErr
		}
		left -= int64(len(rows))
	}
	return nil
}

// columnReader reads one column of a row group.
type columnReader struct {
	column
	at  uintptr // of the field in its row
	in  file.ColumnChunkReader
	f64 []float64
	i64 []int64
	i32 []int32
	str []parquet.ByteArray
	own copies
}

// rowsAt are rows in memory.
type rowsAt struct {
	first  unsafe.Pointer
	stride uintptr
	n      int
}

// field points to a field of row i.
func (r rowsAt) field(i int, at uintptr) unsafe.Pointer {
	return unsafe.Add(r.first, uintptr(i)*r.stride+at)
}

// read fills the column's field in all rows.
func (r *columnReader) read(rows rowsAt) (err error) {
	switch in := r.in.(type) {
	case *file.Float64ColumnChunkReader:
		r.f64, err = scatter(rows, r.at, in, r.f64, in.ReadBatch)
	case *file.Int32ColumnChunkReader:
		r.i32, err = scatter(rows, r.at, in, r.i32, in.ReadBatch)
	case *file.Int64ColumnChunkReader:
		r.i64, err = scatter(rows, r.at, in, r.i64, in.ReadBatch)
	case *file.ByteArrayColumnChunkReader:
		if r.str, err = fetch(rows.n, in, r.str, in.ReadBatch); err == nil {
			for i, v := range r.str {
				*(*string)(rows.field(i, r.at)) = r.own.of(v)
			}
		}
		clear(r.str)
	default:
		err = fmt.Errorf("no reader for %T", r.in)
	}
	return err
}

// readBatch is a method of Arrow's readers.
type readBatch[V any] func(int64, []V, []int16, []int16) (int64, int, error)

// scatter reads a number for every row and puts them there; V is of the field's size.
func scatter[V int32 | int64 | float64](rows rowsAt, at uintptr, in file.ColumnChunkReader, buf []V,
	read readBatch[V]) ([]V, error) {
	buf, err := fetch(rows.n, in, buf, read)
	if err != nil {
		return buf, err
	}
	for i, v := range buf {
		*(*V)(rows.field(i, at)) = v
	}
	return buf, nil
}

// fetch reads n values. Reading a batch of an OPTIONAL column would never end where the levels of a
// broken file run out, which is one reason why such columns are refused.
func fetch[V any](n int, in file.ColumnChunkReader, buf []V, read readBatch[V]) ([]V, error) {
	buf = slices.Grow(buf[:0], n)[:n]
	for done := 0; done < n; {
		_, k, err := read(int64(n-done), buf[done:], nil, nil)
		if err != nil && err != io.EOF {
			return buf, err
		}
		if k == 0 {
			if err := in.Err(); err != nil && err != io.EOF {
				return buf, err
			}
			return buf, fmt.Errorf("broken file: ends %d values early", n-done)
		}
		done += k
	}
	return buf, nil
}
