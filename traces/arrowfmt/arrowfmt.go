// Package arrowfmt reads jobs from Arrow IPC: files, which are Feather V2 too, and streams
// (https://arrow.apache.org/docs/format/Columnar.html), as pyarrow, pandas (to_feather), polars
// (write_ipc) and DuckDB write them. The package jobcell has the rules by which cells are read.
//
// Columns of jobs may be whole numbers and floats of any width, decimals, booleans, texts (also
// large ones, views and raw bytes), dates, times, timestamps, durations, and dictionaries of these;
// lists, structs and other nested types are refused, but passed over in columns that are not read.
// Buffers may be compressed with lz4 or zstd. A file is read by the description at its end; out of a
// pipe it is read as a stream, which most files are too.
//
// Arrow's own reader for Go takes as much memory as damaged files declare, and lacks the views that
// polars writes; what is read here is bound by the bytes that are there.
//
// Reading guide: stream.go and file.go take messages apart, schema.go reads the columns' types, batch.go ties
// buffers to columns, cell.go makes cells of them.
package arrowfmt

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"tarry/sim"
	"tarry/sim/tabular"
	"tarry/traces/intake"
	"tarry/traces/jobcell"
	"tarry/traces/jobtable"
)

// Format is the front end.
func Format() *jobtable.Format {
	return &jobtable.Format{Name: "arrow", Ends: []string{".arrow", ".feather", ".ipc", ".arrows"},
		Parse: func(r *jobtable.Reading, name string, f *os.File) error { return parse(r, name, f) }}
}

// Read reads the file at path, or the files of a folder as one list.
func Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	return Format().Read(path, opt)
}

// Parse reads jobs from in; the name stands in errors, with the row in place of a line. Submits stay
// as they are written, but wall-clock times count from the first.
func Parse(name string, in io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	r := jobtable.New(name, opt)
	if err := parse(r, name, in); err != nil {
		return nil, nil, err
	}
	return r.Finish("arrow")
}

func parse(r *jobtable.Reading, name string, in io.Reader) error {
	t := table{r: r, name: name, dictionaries: map[int64][]jobcell.Value{}}
	var stop placed
	file, err := t.whole(in)
	if !file && err == nil {
		err = t.read(&stream{in: bufio.NewReaderSize(in, 1<<16)})
	}
	switch {
	case errors.As(err, &stop):
		return stop.error
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// placed is an error that names its place already.
type placed struct{ error }

// table is one file.
type table struct {
	r    *jobtable.Reading
	name string
	row  int

	schema       *schema
	reads        []bool // which columns are jobs'
	dictionaries map[int64][]jobcell.Value
}

// read goes through the messages.
func (t *table) read(s *stream) error {
	if err := s.start(); err != nil {
		return err
	}
	for {
		m, err := s.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		switch {
		case m.kind == kindSchema && t.schema == nil:
			err = t.match(&m)
		case m.kind == kindSchema:
			err = errors.New("a second schema: is this one file?")
		case t.schema == nil:
			err = errors.New("no schema before the first rows: the file is damaged")
		case m.kind == kindDictionary:
			err = t.dictionary(&m)
		case m.kind == kindBatch:
			err = t.batch(&m)
		}
		if err != nil {
			return err
		}
	}
	if t.schema == nil {
		return errors.New("no schema: the file is empty or cut off")
	}
	return nil
}

// match ties the columns to fields of jobs.
func (t *table) match(m *message) error {
	sc, err := readSchema(m)
	if err != nil {
		return err
	}
	names := make([]string, len(sc.fields))
	for i := range sc.fields {
		names[i] = sc.fields[i].name
	}
	h, err := t.r.Match(names, sc.index...)
	if err != nil {
		return err
	}
	t.reads = make([]bool, len(names))
	for i := range sc.fields {
		if t.reads[i] = h.Reads(i); !t.reads[i] {
			continue
		}
		if err := sc.fields[i].readable(); err != nil {
			return fmt.Errorf("column %q %w", names[i], err)
		}
	}
	t.schema = sc
	return nil
}

// dictionary keeps the values of a dictionary of a column that is read.
func (t *table) dictionary(m *message) error {
	id, delta, at, ok := m.dictionary()
	if !ok {
		return errDamaged
	}
	i := t.schema.dictionaryOf(id)
	if i < 0 || !t.reads[i] {
		return nil
	}
	f := t.schema.fields[i]
	f.dictionary = nil
	b, err := newBatch(m, at)
	if err != nil {
		return err
	}
	a, err := b.array(&f, true)
	if err != nil {
		return fmt.Errorf("column %q: %w", f.name, err)
	}
	var values []jobcell.Value
	if delta {
		values = t.dictionaries[id]
	}
	if int64(len(values))+int64(a.n) > intake.DefaultMaxJobs {
		return fmt.Errorf("column %q: a dictionary with more than %d values", f.name, intake.DefaultMaxJobs)
	}
	for k := range a.n {
		values = append(values, a.cell(k))
	}
	t.dictionaries[id] = values
	return nil
}

// batch reads the rows of a record batch.
func (t *table) batch(m *message) error {
	b, err := newBatch(m, m.header)
	if err != nil {
		return err
	}
	if err := t.r.Limit(int64(b.rows)); err != nil {
		return err
	}
	arrays := make([]*array, len(t.schema.fields))
	for i := range t.schema.fields {
		f := &t.schema.fields[i]
		a, err := b.array(f, t.reads[i])
		if err != nil {
			return fmt.Errorf("column %q: %w", f.name, err)
		}
		if !t.reads[i] {
			continue
		}
		if a.n != b.rows {
			return fmt.Errorf("column %q has %d rows of %d: the file is damaged", f.name, a.n, b.rows)
		}
		if f.dictionary != nil {
			a.values = t.dictionaries[f.dictionary.id]
		}
		arrays[i] = a
	}
	for k := range b.rows {
		t.row++
		cell := func(i int) jobcell.Value {
			if arrays[i] == nil {
				return jobcell.Value{}
			}
			return arrays[i].cell(k)
		}
		if err := t.r.Row(tabular.NewRow(t.name, t.row, t.row, nil, nil), cell); err != nil {
			return placed{err}
		}
	}
	return nil
}
