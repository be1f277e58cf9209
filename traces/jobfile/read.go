package jobfile

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"

	"tarry/sim/origin"
	"tarry/traces/jobcell"
)

// Source is what ReadJobs reads from: Parquet starts at its end.
type Source interface {
	io.ReaderAt
	io.Seeker
}

// Head is what a file states about its workload.
type Head struct {
	Name    string
	Origins []origin.Origin
	Rows    int64
}

// MaxText is the longest name in bytes, and MaxPage the largest page of a file, decompressed.
const (
	MaxText = 1 << 12
	MaxPage = 64 << 20
)

// Into is where the rows of a file go. The first error of one of its functions ends the reading.
type Into struct {
	// Match ties the names of the columns to fields of jobs; index lists the columns that pandas calls
	// its index.
	Match func(columns, index []string) (*jobcell.Header, error)
	// Head is given what the file states before the first row.
	Head func(Head) error
	// Row is given each row, from 1, with its cells in the order of the columns, valid during the
	// call.
	Row func(row int, cell func(i int) jobcell.Value) error
}

// ReadJobs gives every row of the file to into, in the file's order. Files that other tools wrote
// may lack columns, and have some of them in other types, as jobcell reports.
func ReadJobs(src Source, into Into) (err error) {
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
	r, err := match(pf, into)
	if err != nil {
		return err
	}
	if err := into.Head(head); err != nil {
		return err
	}
	if err := r.readable(pf.MetaData()); err != nil {
		return err
	}
	r.into, r.memory, r.src = into, props.Allocator(), src
	for g := range pf.NumRowGroups() {
		if err := r.group(pf.RowGroup(g)); err != nil {
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
	mark := make([]byte, 8)
	if size < 12 {
		return fmt.Errorf("%d bytes are no Parquet file", size)
	}
	if _, err := src.ReadAt(mark, size-8); err != nil {
		return err
	}
	if string(mark[4:]) != "PAR1" {
		return fmt.Errorf("the file ends in %q, a complete Parquet file in \"PAR1\": is it cut off?", mark[4:])
	}
	if n := binary.LittleEndian.Uint32(mark); n > MaxPage {
		return fmt.Errorf("the description at the end of the Parquet file has %d bytes, expected at most %d: write "+
			"fewer and larger row groups", n, MaxPage)
	}
	return nil
}

// match ties the file's columns to fields of jobs.
func match(pf *file.Reader, into Into) (*reading, error) {
	sc, kv := pf.MetaData().Schema, pf.MetaData().KeyValueMetadata()
	units, err := durations(kv)
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range sc.NumColumns() {
		name := sc.Column(i).ColumnPath()[0]
		if len(names) == 0 || names[len(names)-1] != name || len(sc.Column(i).ColumnPath()) == 1 {
			names = append(names, name)
		}
	}
	h, err := into.Match(names, indexColumns(kv))
	if err != nil {
		return nil, err
	}
	r := &reading{columns: make([]source, 0, len(names))}
	exact := kv.FindValue(keyVersion) != nil
	for i := range sc.NumColumns() {
		c := sc.Column(i)
		s := source{name: c.ColumnPath()[0], at: i}
		if k := len(r.columns); k < len(names) && !h.Reads(k) && s.name == names[k] {
			r.columns = append(r.columns, s)
			continue
		}
		if len(c.ColumnPath()) > 1 || c.MaxRepetitionLevel() > 0 || c.MaxDefinitionLevel() > 1 {
			return nil, fmt.Errorf("column %q holds lists or structs, expected one value in each row", s.name)
		}
		if s.decode, err = decoder(c, units[s.name], exact); err != nil {
			return nil, fmt.Errorf("column %q %w", s.name, err)
		}
		r.columns = append(r.columns, s)
	}
	return r, nil
}

// indexColumns names the columns that the metadata of pandas calls its index.
func indexColumns(kv metadata.KeyValueMetadata) (names []string) {
	words := kv.FindValue("pandas")
	if words == nil {
		return nil
	}
	var pandas struct {
		Index []any `json:"index_columns"`
	}
	if err := json.Unmarshal([]byte(*words), &pandas); err != nil {
		return nil // an index by another name is then an unknown column
	}
	for _, x := range pandas.Index {
		if name, ok := x.(string); ok { // an object describes a range that has no column
			names = append(names, name)
		}
	}
	return names
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
		return fmt.Errorf("the Parquet file is damaged: it states %d rows, its parts hold %d", h.Rows, rows)
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
