//go:build !js

package results

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"unsafe"
)

const (
	// groupRows is the size of a row group: what a Writer holds in memory.
	groupRows = 1 << 16
	// takenRows are taken apart together: of so many rows all columns fit the processor's cache.
	takenRows = 1 << 8
)

// Writer writes one table row group by row group, in bounded memory. It is not
// safe for concurrent use. Until Close nothing is seen under the file's name.
type Writer[T Row] struct {
	ctx    context.Context
	target Target
	*shape
	runs []axisRun // values of the axes of rows that are not written yet
	temp *tempFile
	sink *sink
	out  *parquetFile
	work *scratch
	buf  []T   // rows that are not taken apart yet
	rows int   // of the row group, in the shape's values
	err  error // the first failure; later calls repeat it
	done bool
}

// Create starts a file. The context ends the writing: Append and Close then fail
// and leave nothing. Who does not reach Close must call Abort.
func Create[T Row](ctx context.Context, t Target) (*Writer[T], error) {
	w := &Writer[T]{ctx: ctx, target: t}
	err := w.open()
	if err != nil {
		if w.temp != nil {
			w.temp.abort()
		}
		return nil, w.wrap(err)
	}
	return w, nil
}

func (w *Writer[T]) open() (err error) {
	defer w.recovered(&err)
	if err := w.ctx.Err(); err != nil {
		return err
	}
	meta := &w.target.Meta
	if meta.Codec, err = ParseCodec(string(meta.Codec)); err != nil {
		return err
	}
	w.work = newScratch(nil)
	if w.shape, err = shapeOf[T](w.work, w.target); err != nil {
		return err
	}
	w.buf, _ = w.shape.rows.([]T)
	if w.temp, err = w.target.Files.create(w.target.Path); err != nil {
		return err
	}
	w.work.buffer.Reset(w.temp)
	w.sink = &sink{w: w.work.buffer}
	var zero T
	w.out, err = newParquetFile(w.sink, w.work, w.shape, meta.words(zero.Table()))
	return err
}

// Append adds rows; they may be reused afterwards.
func (w *Writer[T]) Append(rows ...T) error {
	if n := len(w.runs); n > 0 {
		w.runs[n-1].rows += len(rows)
	}
	for len(rows) > 0 && w.err == nil && !w.done {
		if len(w.buf) == 0 && len(rows) >= takenRows {
			w.take(rows[:takenRows])
			rows = rows[takenRows:]
			continue
		}
		n := min(len(rows), takenRows-len(w.buf))
		w.buf = append(w.buf, rows[:n]...)
		if rows = rows[n:]; len(w.buf) == takenRows {
			w.take(w.buf)
			w.empty()
		}
	}
	if w.done && w.err == nil {
		return w.wrap(errors.New("the file is closed"))
	}
	return w.err
}

// Row gives the next row to fill in place, which is empty. It belongs to the writer from the next
// call on, which reports a failure of this one, as Close does.
func (w *Writer[T]) Row() (*T, error) {
	if w.done || w.err != nil {
		return nil, w.Append(*new(T))
	}
	if len(w.buf) == takenRows {
		w.take(w.buf)
		w.empty()
	}
	if n := len(w.runs); n > 0 {
		w.runs[n-1].rows++
	}
	w.buf = append(w.buf, *new(T))
	return &w.buf[len(w.buf)-1], w.err
}

// take takes rows apart, at most takenRows, and writes the row group that is full; the first
// failure removes the file.
func (w *Writer[T]) take(rows []T) {
	if err := checkRows(w.keys, rows, w.rows); err != nil {
		w.fail(err)
		return
	}
	for i := range w.cols {
		w.values[i].take(unsafe.Pointer(unsafe.SliceData(rows)), unsafe.Sizeof(rows[0]), len(rows))
	}
	if w.rows += len(rows); w.rows == groupRows {
		w.flush()
	}
}

// empty forgets the rows that were gathered, and does not keep the caller's texts alive.
func (w *Writer[T]) empty() {
	clear(w.buf)
	w.buf = w.buf[:0]
}

// flush writes the row group.
func (w *Writer[T]) flush() {
	if err := w.group(); err != nil {
		w.fail(err)
	}
	w.rows = 0
}

func (w *Writer[T]) group() (err error) {
	defer w.recovered(&err)
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if len(w.axes) > 0 {
		runs, err := w.cut(w.rows)
		if err != nil {
			return err
		}
		if err := repeatAxes(w.values[len(w.cols):], w.axes, runs); err != nil {
			return err
		}
	}
	return w.out.group(w.rows, w.values, w.all())
}

// Close writes what is left, makes the file durable and gives it its name.
func (w *Writer[T]) Close() error {
	if w.done {
		return w.err
	}
	if w.err == nil && len(w.buf) > 0 {
		w.take(w.buf)
		w.empty()
	}
	if w.err == nil && w.rows > 0 {
		w.flush()
	}
	if w.err == nil {
		if err := w.finish(); err != nil {
			w.fail(err)
		} else if err := w.target.Files.take(w.temp); err != nil {
			w.err = w.wrap(err)
		}
	}
	w.over()
	return w.err
}

func (w *Writer[T]) finish() (err error) {
	defer w.recovered(&err)
	if err := w.out.finish(); err != nil {
		return err
	}
	return w.ctx.Err()
}

// Abort gives up: nothing is left of the file. After Close it does nothing.
func (w *Writer[T]) Abort() {
	if !w.done && w.err == nil {
		w.fail(errors.New("given up"))
	}
	w.over()
}

// over ends the writer: nothing is written any more.
func (w *Writer[T]) over() {
	if !w.done && w.work != nil {
		w.forget()
		w.empty()
		w.shape.rows = w.buf
		w.work.leave()
	}
	w.done, w.buf, w.work, w.out, w.sink = true, nil, nil, nil, nil
}

func (w *Writer[T]) fail(err error) {
	w.temp.abort()
	w.err = w.wrap(err)
}

// wrap names the table and the file.
func (w *Writer[T]) wrap(err error) error {
	var zero T
	return fmt.Errorf("results: write table %s to %s: %w", zero.Table(), w.target.Path, err)
}

// recovered turns a panic of the Parquet writer into an error. It panics when the
// disk is full; the cause is then the sink's.
func (w *Writer[T]) recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("parquet writer: %v", r)
	}
	if w.sink != nil && w.sink.err != nil {
		*err = w.sink.err
	}
}

// sink counts bytes and remembers the first failure: the Parquet writer drops some.
type sink struct {
	w   *bufio.Writer
	n   int64
	err error
}

// Tell gives the offset of the next byte.
func (s *sink) Tell() int64 { return s.n }

func (s *sink) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	s.n += int64(n)
	if err != nil && s.err == nil {
		s.err = err
	}
	return n, err
}

// Write writes a complete table. Without rows the file has the columns and no row group.
func Write[T Row](ctx context.Context, t Target, rows []T) error {
	w, err := Create[T](ctx, t)
	if err != nil {
		return err
	}
	if err := w.Append(rows...); err != nil {
		return err
	}
	return w.Close()
}
