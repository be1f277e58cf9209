package jobfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"

	"tarry/sim"
)

// Source is what ReadJobs reads from: Parquet starts at its end.
type Source interface {
	io.ReaderAt
	io.Seeker
}

// Head is what a file says about its workload.
type Head struct {
	Name    string
	Origins []sim.Origin
	Rows    int64
}

// MaxText is the longest name in bytes, and MaxPage the largest page of a file, decompressed.
const (
	MaxText = 1 << 12
	MaxPage = 64 << 20
)

// Fault is a value that cannot be read.
type Fault struct {
	// Column, Value and Want say where it is, what was found, as text, and what was expected.
	Column, Value, Want string
}

// ReadJobs gives every job of the file to each, in the file's order, with its row
// from 1 and the values of the row that cannot be read, which the job has as zero. The job and its strings are valid during the call only. A file that other
// tools wrote may lack all columns but id, submit_us, gpus and work_us; columns that
// are not jobs' are an error, so that a misspelt one is not silently lost. The first
// error of each ends the reading.
func ReadJobs(src Source, check func(Head) error, each func(row int, j *sim.Job, faults []Fault) error) (err error) {
	// Arrow v15 panics on some damaged files; to the caller a damaged file is an error.
	// Its record reader would panic in goroutines of its own, so read column by column.
	defer func() {
		switch p := recover().(type) {
		case nil:
		case tooLarge:
			err = p
		default:
			err = fmt.Errorf("the Parquet file is damaged: %v", p)
		}
	}()
	if err := whole(src); err != nil {
		return err
	}
	props := parquet.NewReaderProperties(bounded{memory.NewGoAllocator()})
	pf, err := file.NewParquetReader(seekReader{src}, file.WithReadProps(props))
	if err != nil {
		return fmt.Errorf("not a complete Parquet file: %w", err)
	}
	defer pf.Close()
	head := Head{Rows: pf.NumRows()}
	if err := head.read(pf); err != nil {
		return err
	}
	if err := check(head); err != nil {
		return err
	}
	cols, err := match(pf)
	if err != nil {
		return err
	}
	row := 0
	for g := range pf.NumRowGroups() {
		if err := readGroup(pf.RowGroup(g), cols, &row, each); err != nil {
			return err
		}
	}
	return nil
}

// whole looks for the mark at the end, which a file that was cut off does not have.
func whole(src Source) error {
	size, err := src.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	mark := make([]byte, 4)
	if size < 12 {
		return fmt.Errorf("%d bytes are no Parquet file", size)
	}
	if _, err := src.ReadAt(mark, size-4); err != nil {
		return err
	}
	if string(mark) != "PAR1" {
		return fmt.Errorf("the file ends in %q, a complete Parquet file in \"PAR1\": is it cut off?", mark)
	}
	return nil
}

// readGroup goes through a row group some rows at a time, all columns in step.
func readGroup(group *file.RowGroupReader, cols []column, row *int, each func(int, *sim.Job, []Fault) error) error {
	readers := make([]file.ColumnChunkReader, len(cols))
	for k := range cols {
		r, err := group.Column(k)
		if err != nil {
			return fmt.Errorf("column %q: %w", cols[k].name, err)
		}
		readers[k] = r
	}
	jobs := make([]sim.Job, min(int64(stepRows), group.NumRows()))
	var buf buffers
	for left := group.NumRows(); left > 0; left -= int64(len(jobs)) {
		jobs = jobs[:min(int64(len(jobs)), left)]
		clear(jobs)
		for k := range cols {
			if err := buf.fill(readers[k], &cols[k], jobs); err != nil {
				return fmt.Errorf("column %q: %w", cols[k].name, err)
			}
		}
		for i := range jobs {
			*row++
			if err := each(*row, &jobs[i], buf.faults[i]); err != nil {
				return err
			}
		}
		clear(buf.faults)
	}
	return nil
}

// match pairs the file's columns with ours, in the file's order.
func match(pf *file.Reader) ([]column, error) {
	known := columns()
	names := make([]string, len(known))
	for i, c := range known {
		names[i] = c.name
	}
	sc := pf.MetaData().Schema
	arrows := arrowTypes(pf)
	var cols []column
	var have []string
	var errs []error
	var err error
	for i := range sc.NumColumns() {
		f := sc.Column(i)
		at := slices.Index(names, f.Path())
		if at < 0 {
			return nil, fmt.Errorf("unknown column %q, expected some of %s", f.Path(), strings.Join(names, ","))
		}
		c := known[at]
		if f.PhysicalType() != c.physical() || f.MaxRepetitionLevel() > 0 || f.MaxDefinitionLevel() > 1 || slices.Contains(have, c.name) {
			return nil, fmt.Errorf("column %q holds %v, expected one flat column of %v", c.name, f.PhysicalType(), c.physical())
		}
		if c.as, err = c.accept(f.LogicalType(), arrows[c.name]); err != nil {
			errs = append(errs, fmt.Errorf("column %q %w", c.name, err))
		}
		cols, have = append(cols, c), append(have, c.name)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	for _, need := range needed() {
		if !slices.Contains(have, need) {
			return nil, fmt.Errorf("column %q is missing", need)
		}
	}
	return cols, nil
}

func (c *column) physical() parquet.Type {
	switch {
	case c.text != nil:
		return parquet.Types.ByteArray
	case c.wide != nil || c.time != nil:
		return parquet.Types.Int64
	case c.real != nil:
		return parquet.Types.Double
	}
	return parquet.Types.Int32
}

// read takes the name and the origins from the metadata and refuses sizes that the
// file cannot have, which would make Arrow ask for that much memory.
func (h *Head) read(pf *file.Reader) error {
	meta := pf.MetaData()
	var rows int64
	for i := range pf.NumRowGroups() {
		rows += meta.RowGroup(i).NumRows()
	}
	if rows != h.Rows || rows < 0 {
		return fmt.Errorf("the Parquet file is damaged: it says %d rows, its parts hold %d", h.Rows, rows)
	}
	kv := meta.KeyValueMetadata()
	if v := kv.FindValue(keyVersion); v != nil && *v != version {
		return fmt.Errorf("the file is %q, expected %q", *v, version)
	}
	if v := kv.FindValue(keyName); v != nil {
		h.Name = *v
	}
	if v := kv.FindValue(keyOrigins); v != nil {
		if err := json.Unmarshal([]byte(*v), &h.Origins); err != nil {
			return fmt.Errorf("metadata %s: %w", keyOrigins, err)
		}
	}
	return nil
}

// seekReader gives Arrow the reader it asks for on top of a Source.
type seekReader struct{ Source }
