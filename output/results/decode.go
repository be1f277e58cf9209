package results

import (
	"fmt"
	"io"
	"reflect"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
)

// batchRows is what a scan holds of a row group.
const batchRows = 1 << 13

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
		readers = append(readers, columnReader{column: c, in: r})
	}
	rows := make([]T, 0, min(max(left, 0), batchRows))
	for left > 0 {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		rows = rows[:min(left, batchRows)]
		clear(rows)
		v := reflect.ValueOf(rows)
		for i := range readers {
			if err := readers[i].read(v); err != nil {
				return fmt.Errorf("column %q: %w", readers[i].name, err)
			}
		}
		for _, c := range absent {
			for i := range rows {
				c.clearTo(v.Index(i).FieldByIndex(c.index))
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
	in   file.ColumnChunkReader
	f64  []float64
	i64  []int64
	i32  []int32
	str  []parquet.ByteArray
	last string
}

// read fills the column's field in all rows.
func (r *columnReader) read(rows reflect.Value) error {
	n := rows.Len()
	switch in := r.in.(type) {
	case *file.Float64ColumnChunkReader:
		r.f64 = resize(r.f64, n)
		return scatter(r, rows, r.f64, in.ReadBatch, func(f reflect.Value, v float64) { f.SetFloat(v) })
	case *file.Int32ColumnChunkReader:
		r.i32 = resize(r.i32, n)
		return scatter(r, rows, r.i32, in.ReadBatch, func(f reflect.Value, v int32) { f.SetInt(int64(v)) })
	case *file.Int64ColumnChunkReader:
		r.i64 = resize(r.i64, n)
		set := func(f reflect.Value, v int64) { f.SetInt(v) }
		if r.kind == reflect.Uint64 {
			set = func(f reflect.Value, v int64) { f.SetUint(uint64(v)) }
		}
		return scatter(r, rows, r.i64, in.ReadBatch, set)
	case *file.ByteArrayColumnChunkReader:
		r.str = resize(r.str, n)
		return scatter(r, rows, r.str, in.ReadBatch, r.setString)
	}
	return fmt.Errorf("no reader for %T", r.in)
}

// setString copies the text out of the page; runs of equal texts share one copy.
func (r *columnReader) setString(f reflect.Value, v parquet.ByteArray) {
	if string(v) != r.last {
		r.last = string(v)
	}
	f.SetString(r.last)
}

// scatter reads len(buf) values and hands them to the rows. Reading a batch of an
// OPTIONAL column would never end where the levels of a broken file run out, which is
// one reason why such columns are refused.
func scatter[V any](r *columnReader, rows reflect.Value, buf []V, read func(int64, []V, []int16, []int16) (int64, int, error), set func(reflect.Value, V)) error {
	for done := 0; done < len(buf); {
		_, n, err := read(int64(len(buf)-done), buf[done:], nil, nil)
		if err != nil && err != io.EOF {
			return err
		}
		if n == 0 {
			if err := r.in.Err(); err != nil && err != io.EOF {
				return err
			}
			return fmt.Errorf("broken file: ends %d values early", len(buf)-done)
		}
		for i, v := range buf[done : done+n] {
			set(rows.Index(done+i).FieldByIndex(r.index), v)
		}
		done += n
	}
	return nil
}

func resize[V any](s []V, n int) []V {
	if cap(s) < n {
		return make([]V, n)
	}
	return s[:n]
}
