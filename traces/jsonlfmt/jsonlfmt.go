// Package jsonlfmt reads and writes jobs as JSON lines: an object with the columns of a job on each
// line, as pandas (to_json with orient="records", lines=True), polars (write_ndjson), DuckDB and
// most logs write it (https://jsonlines.org). A JSON list of such objects is read too.
//
// The columns are all keys; a key that an object lacks is a missing value, as null and NaN are. The
// package jobcell has the rules by which cells are read: numbers keep their digits, so that they are
// read as in CSV. A list or an object in a column of jobs is a wrong row.
package jsonlfmt

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"tarry/sim"
	"tarry/sim/tabular"
	"tarry/traces/intake"
	"tarry/traces/jobcell"
	"tarry/traces/jobtable"
)

// maxLine is the longest line, and maxEmpty how many empty lines there may be beyond one for each
// row.
const (
	maxLine  = 1 << 20
	maxEmpty = 1_000_000
)

// Format is the front end.
func Format() *jobtable.Format {
	return &jobtable.Format{Name: "jsonl", Ends: []string{".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson", ".ndjson.gz",
		".ndjson.zst", ".json", ".json.gz", ".json.zst"},
		Parse: func(r *jobtable.Reading, name string, f *os.File) error { return parse(r, name, f) }}
}

// Read reads the file at path, plain or compressed, or the files of a folder as one list.
func Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	return Format().Read(path, opt)
}

// Parse reads jobs from in; the name stands in errors. Submits stay as they are written.
func Parse(name string, in io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	r := jobtable.New(name, opt)
	if err := parse(r, name, in); err != nil {
		return nil, nil, err
	}
	return r.Finish("jsonl")
}

func parse(r *jobtable.Reading, name string, from io.Reader) error {
	in, err := tabular.Decode(name, from)
	if err != nil {
		return err
	}
	defer in.Close()
	t := table{r: r, name: name}
	if in.First() == '[' {
		err = t.list(in)
	} else {
		err = t.lines(in.Reader)
	}
	if err == nil && t.rows == 0 {
		return fmt.Errorf("%s: the file is empty, expected a JSON object on each line", name)
	}
	return err
}

// table is one file.
type table struct {
	r     *jobtable.Reading
	name  string
	keys  []string
	at    map[string]int
	head  *jobcell.Header
	rows  int
	row   []member
	cells []jobcell.Value
}

// lines reads an object on each line.
func (t *table) lines(in *bufio.Reader) error {
	var long []byte
	for line, empty := 1, 0; ; line++ {
		text, err := in.ReadSlice('\n')
		long = long[:0]
		for err == bufio.ErrBufferFull {
			if long = append(long, text...); len(long) > maxLine {
				return fmt.Errorf("%s:%d: the line is longer than %d bytes, expected a JSON object on each line", t.name,
					line, maxLine)
			}
			text, err = in.ReadSlice('\n')
		}
		if len(long) > 0 {
			long = append(long, text...)
			text = long
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("%s:%d: %w", t.name, line, err)
		}
		if body := bytes.TrimSpace(text); len(body) > 0 {
			if err := t.object(line, body); err != nil {
				return err
			}
		} else if empty++; empty > maxEmpty+t.rows {
			return fmt.Errorf("%s:%d: %d empty lines, expected at most %d and one for each row", t.name, line, empty,
				maxEmpty)
		}
		if err == io.EOF {
			return nil
		}
	}
}

// list reads the objects of a JSON list.
func (t *table) list(in *tabular.Stream) error {
	objects := tabular.NewObjects(t.name, in)
	for {
		var text json.RawMessage
		line, err := objects.Next(&text)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := t.object(line, text); err != nil {
			return err
		}
	}
}

// object reads one row.
func (t *table) object(line int, text []byte) (err error) {
	t.rows++
	row := tabular.NewRow(t.name, line, t.rows, nil, nil)
	if t.row, err = object(text, t.row[:0]); err != nil {
		if t.head == nil { // it may be no table at all
			return fmt.Errorf("%s:%d: %w", t.name, line, err)
		}
		row.Rejectf("%v", err)
		return t.r.Row(row, nil)
	}
	if err := t.columns(line); err != nil {
		return err
	}
	for i := range t.cells {
		t.cells[i] = jobcell.Value{}
	}
	for i, m := range t.row {
		at := t.at[m.key]
		if slices.ContainsFunc(t.row[:i], func(o member) bool { return o.key == m.key }) && t.head.Reads(at) {
			row.Rejectf("key %q appears twice", m.key)
		}
		if m.nested != "" && t.head.Reads(at) {
			row.Rejectf("column %q holds %s, expected one value in each row: of pandas write the table with "+
				`orient="records", lines=True`, m.key, m.nested)
		}
		t.cells[at] = m.value
	}
	return t.r.Row(row, func(i int) jobcell.Value { return t.cells[i] })
}

// columns ties the keys that were not there before.
func (t *table) columns(line int) error {
	more := false
	for _, m := range t.row {
		if _, ok := t.at[m.key]; ok {
			continue
		}
		if t.at == nil {
			t.at = map[string]int{}
		}
		more, t.at[m.key] = true, len(t.keys)
		t.keys = append(t.keys, m.key)
	}
	if !more && t.head != nil {
		return nil
	}
	if len(t.keys) > maxKeys {
		return fmt.Errorf("%s:%d: more than %d keys in all rows, expected the columns of a job", t.name, line, maxKeys)
	}
	h, err := t.r.Match(t.keys)
	if err != nil {
		return fmt.Errorf("%s:%d: %w", t.name, line, err)
	}
	t.head, t.cells = h, make([]jobcell.Value, len(t.keys))
	return nil
}
