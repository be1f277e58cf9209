package jobfile

import (
	"encoding/json"
	"fmt"
	"io"
	"unsafe"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	logical "github.com/apache/arrow/go/v15/parquet/schema"

	"tarry/sim"
)

// batchRows is how many jobs are converted at a time, groupRows how many a row group has.
const (
	batchRows = 1 << 16
	groupRows = 1 << 20
)

// WriteJobs writes the workload to out as Parquet. It does not close out.
//
// The columns are written one by one: Arrow's package pqarrow, which writes records, needs its
// functions for computing and gRPC, 24 MB of a program that uses neither. A test keeps the bytes
// equal to pqarrow's.
func WriteJobs(out io.Writer, w *sim.Workload) error {
	cols := written(w)
	root, err := nodes(cols)
	if err != nil {
		return err
	}
	words, err := about(w, cols)
	if err != nil {
		return err
	}
	fw := file.NewParquetWriter(nopCloser{out}, root, file.WithWriterProps(properties(cols)),
		file.WithWriteMetadata(words))
	var rows batch
	var group file.BufferedRowGroupWriter
	for at := 0; at < len(w.Jobs); at += batchRows {
		if at%groupRows == 0 {
			if group != nil { // the writer would drop the error
				if err := group.Close(); err != nil {
					return err
				}
			}
			group = fw.AppendBufferedRowGroup()
		}
		if err := rows.write(group, cols, w.Jobs[at:min(at+batchRows, len(w.Jobs))]); err != nil {
			return err
		}
	}
	if group != nil {
		if err := group.Close(); err != nil {
			return err
		}
	}
	return fw.Close()
}

// properties has the codec, the sizes and the encodings.
func properties(cols []column) *parquet.WriterProperties {
	props := []parquet.WriterProperty{
		parquet.WithCompression(compress.Codecs.Zstd),
		parquet.WithRootRepetition(parquet.Repetitions.Required),
		parquet.WithDataPageSize(64 << 10),
		parquet.WithMaxRowGroupLength(groupRows),
	}
	for _, c := range cols {
		if c.text == nil || c.name == "id" {
			props = append(props, parquet.WithDictionaryFor(c.name, false))
		}
	}
	// Submits are sorted, so their differences are small.
	props = append(props, parquet.WithEncodingFor("submit_us", parquet.Encodings.DeltaBinaryPacked))
	return parquet.NewWriterProperties(props...)
}

// nodes is Parquet's schema.
func nodes(cols []column) (*logical.GroupNode, error) {
	var fields logical.FieldList
	for _, c := range cols {
		var means logical.LogicalType = logical.NoLogicalType{}
		switch c.physical() {
		case parquet.Types.ByteArray:
			means = logical.StringLogicalType{}
		case parquet.Types.Int64:
			means = logical.NewIntLogicalType(64, true)
		case parquet.Types.Int32:
			means = logical.NewIntLogicalType(32, true)
		}
		n, err := logical.NewPrimitiveNodeLogical(c.name, parquet.Repetitions.Required, means, c.physical(), -1, -1)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.name, err)
		}
		fields = append(fields, n)
	}
	return logical.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
}

// about is the file's metadata: what the workload is, and Arrow's schema, which has the units.
func about(w *sim.Workload, cols []column) (metadata.KeyValueMetadata, error) {
	origins, err := json.Marshal(w.Origins)
	if err != nil {
		return nil, err
	}
	keys, values := []string{keyVersion, keyName, keyOrigins}, []string{version, w.Name, string(origins)}
	var fields []arrow.Field
	for _, c := range cols {
		f := arrow.Field{Name: c.name, Type: c.kind()}
		if c.unit != "" {
			f.Metadata = arrow.NewMetadata([]string{"unit"}, []string{c.unit})
		}
		fields = append(fields, f)
	}
	meta := arrow.NewMetadata(keys, values)
	words, err := encodeSchema(arrow.NewSchema(fields, &meta))
	if err != nil {
		return nil, err
	}
	kv := metadata.NewKeyValueMetadata()
	for i, key := range append(keys, keySchema) {
		if err := kv.Append(key, append(values, words)[i]); err != nil {
			return nil, err
		}
	}
	return kv, nil
}

func (c *column) kind() arrow.DataType {
	switch c.physical() {
	case parquet.Types.ByteArray:
		return arrow.BinaryTypes.String
	case parquet.Types.Int64:
		return arrow.PrimitiveTypes.Int64
	case parquet.Types.Double:
		return arrow.PrimitiveTypes.Float64
	}
	return arrow.PrimitiveTypes.Int32
}

// batch holds what is written of one column.
type batch struct {
	wide   []int64
	narrow []int32
	real   []float64
	bytes  []parquet.ByteArray
}

// write adds jobs to a row group.
func (b *batch) write(group file.BufferedRowGroupWriter, cols []column, jobs []sim.Job) error {
	for i := range cols {
		w, err := group.Column(i)
		if err != nil {
			return err
		}
		c := &cols[i]
		switch w := w.(type) {
		case *file.ByteArrayColumnChunkWriter:
			b.bytes = c.texts(b.bytes, jobs)
			_, err = w.WriteBatch(b.bytes, nil, nil)
		case *file.Int64ColumnChunkWriter:
			b.wide = gather(b.wide, jobs, c.int64)
			_, err = w.WriteBatch(b.wide, nil, nil)
		case *file.Float64ColumnChunkWriter:
			b.real = gather(b.real, jobs, func(j *sim.Job) float64 { return *c.real(j) })
			_, err = w.WriteBatch(b.real, nil, nil)
		case *file.Int32ColumnChunkWriter:
			b.narrow = gather(b.narrow, jobs, c.int32)
			_, err = w.WriteBatch(b.narrow, nil, nil)
		default:
			err = fmt.Errorf("no writer for %v", c.kind())
		}
		if err != nil {
			return fmt.Errorf("column %s: %w", c.name, err)
		}
	}
	return nil
}

// gather copies one field of all jobs into dst.
func gather[V any](dst []V, jobs []sim.Job, get func(*sim.Job) V) []V {
	dst = dst[:0]
	for i := range jobs {
		dst = append(dst, get(&jobs[i]))
	}
	return dst
}

// texts views texts as bytes without a copy; the Parquet writer only reads them. As in Arrow's
// arrays, an empty text beside others is not nil, which the column's statistics would pass over.
func (c *column) texts(dst []parquet.ByteArray, jobs []sim.Job) []parquet.ByteArray {
	var empty parquet.ByteArray
	for i := range jobs {
		if *c.text(&jobs[i]) != "" {
			empty = parquet.ByteArray{}
			break
		}
	}
	return gather(dst, jobs, func(j *sim.Job) parquet.ByteArray {
		s := *c.text(j)
		if s == "" {
			return empty
		}
		return unsafe.Slice(unsafe.StringData(s), len(s))
	})
}

func (c *column) int64(j *sim.Job) int64 {
	if c.time != nil {
		return int64(*c.time(j))
	}
	return *c.wide(j)
}

func (c *column) int32(j *sim.Job) int32 {
	if c.int != nil {
		return *c.int(j)
	}
	return int32(j.Drawn)
}

// nopCloser keeps Arrow from closing what the caller opened.
type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
