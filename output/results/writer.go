package results

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
)

// groupRows is the size of a row group: what a Writer holds in memory.
const groupRows = 1 << 16

// Target says what to write where.
type Target struct {
	// Path is the file.
	Path string
	// Part holds the keys that the folders of Path tell; nil = none. Their columns
	// are left out of the file, and every row must agree with them.
	Part Partition
	// Meta goes into the file's metadata.
	Meta Meta
	// Axes are columns beside those of the table; Writer.At gives their values. nil = none.
	Axes []Axis
}

// Writer writes one table row group by row group, in bounded memory. It is not
// safe for concurrent use. Until Close nothing is seen under the file's name.
type Writer[T Row] struct {
	ctx    context.Context
	target Target
	cols   []column
	keys   partCheck
	axes   []column
	runs   []axisRun // values of the axes of rows that are not written yet
	temp   *tempFile
	sink   *sink
	out    *parquetFile
	buf    []T
	enc    encoder
	err    error // the first failure; later calls repeat it
	done   bool
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
	all, err := columnsOf[T]()
	if err != nil {
		return err
	}
	if w.cols, w.keys, err = w.target.Part.split(all); err != nil {
		return err
	}
	if w.temp, err = createTemp(w.target.Path); err != nil {
		return err
	}
	w.sink = &sink{w: bufio.NewWriterSize(w.temp.f, 1<<18)}
	var zero T
	kv := metadata.NewKeyValueMetadata()
	kv.Append(metaPrefix+"table", zero.Table())
	for _, e := range w.target.Meta.entries() {
		kv.Append(metaPrefix+e.key, *e.value)
	}
	w.axes = axisColumns(w.target.Axes)
	w.out, err = newParquetFile(w.sink, slices.Concat(w.cols, w.axes), kv)
	return err
}

// Append adds rows; they may be reused afterwards.
func (w *Writer[T]) Append(rows ...T) error {
	if n := len(w.runs); n > 0 {
		w.runs[n-1].rows += len(rows)
	}
	for len(rows) > 0 && w.err == nil && !w.done {
		if len(w.buf) == 0 && len(rows) >= groupRows {
			w.flush(rows[:groupRows])
			rows = rows[groupRows:]
			continue
		}
		n := min(len(rows), groupRows-len(w.buf))
		w.buf = append(w.buf, rows[:n]...)
		rows = rows[n:]
		if len(w.buf) == groupRows {
			w.flush(w.buf)
			w.buf = w.buf[:0]
		}
	}
	if w.done && w.err == nil {
		return w.wrap(errors.New("the file is closed"))
	}
	return w.err
}

// flush writes one row group; the first failure removes the file.
func (w *Writer[T]) flush(rows []T) {
	if err := w.group(rows); err != nil {
		w.fail(err)
	}
}

func (w *Writer[T]) group(rows []T) (err error) {
	defer w.recovered(&err)
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if err := checkRows(w.keys, rows); err != nil {
		return err
	}
	var runs []axisRun
	if len(w.axes) > 0 {
		if runs, err = w.cut(len(rows)); err != nil {
			return err
		}
	}
	v := reflect.ValueOf(rows)
	return w.out.group(len(rows), len(w.cols)+len(w.axes), func(i int, out file.ColumnChunkWriter, chunk statistics) error {
		if k := i - len(w.cols); k >= 0 {
			if err := w.enc.axis(out, chunk, k, runs); err != nil {
				return fmt.Errorf("column %q: %w", w.axes[k].name, err)
			}
			return nil
		}
		if err := w.enc.column(out, chunk, w.cols[i], v); err != nil {
			return fmt.Errorf("column %q: %w", w.cols[i].name, err)
		}
		return nil
	})
}

// Close writes what is left, makes the file durable and gives it its name.
func (w *Writer[T]) Close() error {
	if w.done {
		return w.err
	}
	if w.err == nil && len(w.buf) > 0 {
		w.flush(w.buf)
	}
	if w.err == nil {
		if err := w.finish(); err != nil {
			w.fail(err)
		} else if err := w.temp.commit(); err != nil {
			w.err = w.wrap(err)
		}
	}
	w.done, w.buf = true, nil
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
	w.done, w.buf = true, nil
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
