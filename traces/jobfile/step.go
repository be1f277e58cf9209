package jobfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"

	"tarry/traces/jobcell"
)

// stepRows is how many rows are decoded at a time.
const stepRows = 4096

// reading goes through the rows of a file.
type reading struct {
	columns []source
	into    Into
	memory  memory.Allocator
	src     Source
	row     int
}

// source is one column of the file.
type source struct {
	name   string
	at     int // its place in the file
	decode decode
	chunk  file.ColumnChunkReader
	cells  []jobcell.Value
	buf    buffers
}

// group goes through a row group some rows at a time, all columns in step.
func (r *reading) group(group *file.RowGroupReader) error {
	size := min(int64(stepRows), group.NumRows())
	for k := range r.columns {
		c := &r.columns[k]
		if c.decode == nil {
			continue
		}
		chunk, err := openColumn(r.src, group, c.at, r.memory)
		if err != nil {
			return fmt.Errorf("column %q: %w", c.name, err)
		}
		c.chunk, c.cells = chunk, need(&c.cells, int(size))
	}
	for left := group.NumRows(); left > 0; left -= size {
		size = min(size, left)
		for k := range r.columns {
			if c := &r.columns[k]; c.decode != nil {
				if err := c.fill(int(size)); err != nil {
					return fmt.Errorf("column %q: %w", c.name, err)
				}
			}
		}
		for i := range int(size) {
			r.row++
			cell := func(k int) jobcell.Value { return r.columns[k].cells[i] }
			if err := r.into.Row(r.row, cell); err != nil {
				return err
			}
		}
	}
	return nil
}

// fill decodes the next n cells of a column; NULL gives the zero Value.
func (c *source) fill(n int) error {
	optional := c.chunk.Descriptor().MaxDefinitionLevel() > 0
	for at := 0; at < n; {
		rows, values, err := c.buf.read(c.chunk, int64(n-at))
		if err != nil {
			return err
		}
		if rows == 0 {
			return fmt.Errorf("%d values, expected one for each of the rows: the file is damaged", at)
		}
		next := 0
		for i := range int(rows) {
			cell := &c.cells[at+i]
			if optional && c.buf.levels[i] == 0 {
				*cell = jobcell.Value{}
				continue
			}
			if next >= values {
				return fmt.Errorf("fewer values than rows: the file is damaged")
			}
			*cell = c.decode(&c.buf, next)
			next++
		}
		at += int(rows)
	}
	return nil
}

// readable refuses the encodings, codecs and keys of the columns that are read for which there is
// no decoder. Arrow would give no rows.
func (r *reading) readable(meta *metadata.FileMetaData) error {
	codecs := []string{"UNCOMPRESSED", "SNAPPY", "GZIP", "BROTLI", "ZSTD", lz4Raw}
	encodings := []string{"PLAIN", "PLAIN_DICTIONARY", "RLE", "BIT_PACKED", "DELTA_BINARY_PACKED",
		"DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY", "RLE_DICTIONARY", byteStreamSplit}
	const again = "cannot be read, expected one of %s: write the file again with another %s"
	for g := range len(meta.RowGroups) {
		group := meta.RowGroup(g)
		for k := range r.columns {
			c := &r.columns[k]
			if c.decode == nil {
				continue
			}
			chunk, err := group.ColumnChunk(c.at)
			if err != nil {
				return fmt.Errorf("column %q: %w", c.name, err)
			}
			if codec := chunk.Compression().String(); !slices.Contains(codecs, codec) {
				return fmt.Errorf("column %q: compression %s "+again, c.name, codec, strings.Join(codecs, ", "),
					"one, such as zstd")
			}
			for _, e := range chunk.Encodings() {
				if !slices.Contains(encodings, e.String()) {
					return fmt.Errorf("column %q: encoding %v "+again, c.name, e, strings.Join(encodings, ", "),
						"one, such as PLAIN or a dictionary")
				}
			}
		}
	}
	return nil
}
