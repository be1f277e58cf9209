// Package jobfile keeps the jobs of a workload in one Parquet file.
//
// The file is flat: one REQUIRED column per field of sim.Job, times as whole
// microseconds, "" and 0 for what is unknown, plain strings, zstd. These are the
// rules under which every Parquet reader tried gives the same values. The
// workload's name and origins are in the file's metadata, so that reading gives
// back exactly the workload that was written.
//
//	id state model user group vc gpu_type                  string
//	submit_us work_us request_us deadline_us iterations    int64
//	iter_s                                                 double
//	gpus min_gpus max_gpus share_milli cpu_milli mem_mib
//	priority drawn_bits                                    int32
//
// In a file that other tools wrote, columns of times may be of a type that names its unit: a timestamp (an
// instant; without a time zone it is taken as UTC) or, with Arrow's schema in the file, a duration; they are read by that unit, rounded
// to the microsecond. Integers may be unsigned, strings may be dictionary-encoded. Other types, such as decimals,
// dates and times of day, are refused. A NULL in id, submit_us, gpus or work_us is a fault of its row; in the
// others it means unknown. A text has at most MaxText bytes, a page MaxPage.
//
// drawn_bits is sim.Field: the sum of 1 model, 2 user, 4 vc, 8 work, 16 gpus,
// 32 submit, 64 deadline, 128 group and 256 request for the fields that a rule filled in.
package jobfile

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"

	"tarry/sim"
)

const (
	version    = "tarry/jobs/v1"
	keyVersion = "tarry.format"
	keyName    = "tarry.workload"
	keyOrigins = "tarry.origins"
)

// column ties one column of the file to a field of a job: exactly one of the
// pointers that the functions give is used.
type column struct {
	name string
	unit string
	text func(*sim.Job) *string
	wide func(*sim.Job) *int64
	time func(*sim.Job) *sim.Time
	int  func(*sim.Job) *int32
	real func(*sim.Job) *float64

	// as says how the file's values are to be taken; see accept.
	as values
}

func columns() []column {
	return []column{
		{name: "id", text: func(j *sim.Job) *string { return &j.ID }},
		{name: "submit_us", unit: "us", time: func(j *sim.Job) *sim.Time { return &j.Submit }},
		{name: "gpus", int: func(j *sim.Job) *int32 { return &j.GPUs }},
		{name: "min_gpus", int: func(j *sim.Job) *int32 { return &j.MinGPUs }},
		{name: "max_gpus", int: func(j *sim.Job) *int32 { return &j.MaxGPUs }},
		{name: "work_us", unit: "us", time: func(j *sim.Job) *sim.Time { return &j.Work }},
		{name: "iterations", wide: func(j *sim.Job) *int64 { return &j.Iterations }},
		{name: "iter_s", unit: "s", real: func(j *sim.Job) *float64 { return &j.IterS }},
		{name: "model", text: func(j *sim.Job) *string { return &j.Model }},
		{name: "user", text: func(j *sim.Job) *string { return &j.User }},
		{name: "group", text: func(j *sim.Job) *string { return &j.Group }},
		{name: "vc", text: func(j *sim.Job) *string { return &j.VC }},
		{name: "gpu_type", text: func(j *sim.Job) *string { return &j.GPUType }},
		{name: "state", text: func(j *sim.Job) *string { return &j.State }},
		{name: "request_us", unit: "us", time: func(j *sim.Job) *sim.Time { return &j.Request }},
		{name: "deadline_us", unit: "us", time: func(j *sim.Job) *sim.Time { return &j.Deadline }},
		{name: "share_milli", int: func(j *sim.Job) *int32 { return &j.ShareMilli }},
		{name: "cpu_milli", int: func(j *sim.Job) *int32 { return &j.CPUMilli }},
		{name: "mem_mib", unit: "MiB", int: func(j *sim.Job) *int32 { return &j.MemMiB }},
		{name: "priority", int: func(j *sim.Job) *int32 { return &j.Priority }},
		{name: "drawn_bits"}, // sim.Field has 16 bits: widened by hand
	}
}

func (c *column) kind() arrow.DataType {
	switch {
	case c.text != nil:
		return arrow.BinaryTypes.String
	case c.wide != nil || c.time != nil:
		return arrow.PrimitiveTypes.Int64
	case c.real != nil:
		return arrow.PrimitiveTypes.Float64
	}
	return arrow.PrimitiveTypes.Int32
}

func schema(w *sim.Workload) (*arrow.Schema, error) {
	origins, err := json.Marshal(w.Origins)
	if err != nil {
		return nil, err
	}
	var fields []arrow.Field
	for _, c := range columns() {
		f := arrow.Field{Name: c.name, Type: c.kind()}
		if c.unit != "" {
			f.Metadata = arrow.NewMetadata([]string{"unit"}, []string{c.unit})
		}
		fields = append(fields, f)
	}
	meta := arrow.NewMetadata([]string{keyVersion, keyName, keyOrigins}, []string{version, w.Name, string(origins)})
	return arrow.NewSchema(fields, &meta), nil
}

// batchRows is how many jobs are converted at a time.
const batchRows = 1 << 16

// WriteJobs writes the workload to out as Parquet. It does not close out.
func WriteJobs(out io.Writer, w *sim.Workload) error {
	sc, err := schema(w)
	if err != nil {
		return err
	}
	props := []parquet.WriterProperty{
		parquet.WithCompression(compress.Codecs.Zstd),
		parquet.WithRootRepetition(parquet.Repetitions.Required),
		parquet.WithDataPageSize(64 << 10),
		parquet.WithMaxRowGroupLength(1 << 20),
	}
	for _, c := range columns() {
		if c.text == nil || c.name == "id" {
			props = append(props, parquet.WithDictionaryFor(c.name, false))
		}
	}
	// Submits are sorted, so their differences are small.
	props = append(props, parquet.WithEncodingFor("submit_us", parquet.Encodings.DeltaBinaryPacked))
	fw, err := pqarrow.NewFileWriter(sc, nopCloser{out}, parquet.NewWriterProperties(props...),
		pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema()))
	if err != nil {
		return err
	}
	b := array.NewRecordBuilder(memory.NewGoAllocator(), sc)
	defer b.Release()
	for jobs := w.Jobs; len(jobs) > 0; {
		n := min(len(jobs), batchRows)
		if err := writeBatch(fw, b, jobs[:n]); err != nil {
			return err
		}
		jobs = jobs[n:]
	}
	return fw.Close()
}

func writeBatch(fw *pqarrow.FileWriter, b *array.RecordBuilder, jobs []sim.Job) error {
	for i, c := range columns() {
		switch f := b.Field(i).(type) {
		case *array.StringBuilder:
			for k := range jobs {
				f.Append(*c.text(&jobs[k]))
			}
		case *array.Int64Builder:
			for k := range jobs {
				f.Append(c.int64(&jobs[k]))
			}
		case *array.Float64Builder:
			for k := range jobs {
				f.Append(*c.real(&jobs[k]))
			}
		case *array.Int32Builder:
			for k := range jobs {
				f.Append(c.int32(&jobs[k]))
			}
		default:
			return fmt.Errorf("column %s: no builder for %v", c.name, c.kind())
		}
	}
	rec := b.NewRecord()
	defer rec.Release()
	return fw.WriteBuffered(rec)
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
