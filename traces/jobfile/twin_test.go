package jobfile

import (
	"bytes"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"

	"tarry/sim"
	"tarry/sim/origin"
)

// twin writes the workload with pqarrow, Arrow's own writer of records.
func twin(t testing.TB, w *sim.Workload) []byte {
	t.Helper()
	cols := written(w)
	words, err := about(w, cols)
	if err != nil {
		t.Fatal(err)
	}
	keys := words.Keys()[:3] // pqarrow adds the schema itself
	meta := arrow.NewMetadata(keys, words.Values()[:3])
	var fields []arrow.Field
	for _, c := range cols {
		f := arrow.Field{Name: c.name, Type: c.kind()}
		if c.unit != "" {
			f.Metadata = arrow.NewMetadata([]string{"unit"}, []string{c.unit})
		}
		fields = append(fields, f)
	}
	sc := arrow.NewSchema(fields, &meta)
	var out bytes.Buffer
	fw, err := pqarrow.NewFileWriter(sc, nopCloser{&out}, properties(cols),
		pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema()))
	if err != nil {
		t.Fatal(err)
	}
	b := array.NewRecordBuilder(memory.NewGoAllocator(), sc)
	defer b.Release()
	for jobs := w.Jobs; len(jobs) > 0; {
		n := min(len(jobs), batchRows)
		rec := records(b, cols, jobs[:n])
		if err := fw.WriteBuffered(rec); err != nil {
			t.Fatal(err)
		}
		rec.Release()
		jobs = jobs[n:]
	}
	if err := fw.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func records(b *array.RecordBuilder, cols []column, jobs []sim.Job) arrow.Record {
	for i := range cols {
		c := &cols[i]
		for k := range jobs {
			switch f := b.Field(i).(type) {
			case *array.StringBuilder:
				f.Append(*c.text(&jobs[k]))
			case *array.Int64Builder:
				f.Append(c.int64(&jobs[k]))
			case *array.Float64Builder:
				f.Append(*c.real(&jobs[k]))
			case *array.Int32Builder:
				f.Append(c.int32(&jobs[k]))
			}
		}
	}
	return b.NewRecord()
}

// The bytes equal pqarrow's, over pages and batches.
func TestBytesOfArrow(t *testing.T) {
	for _, n := range []int{0, 1, 30, 5000, batchRows + 7} {
		w := plainJobs(t, n)
		var got bytes.Buffer
		if err := WriteJobs(&got, w); err != nil {
			t.Fatal(err)
		}
		if want := twin(t, w); !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%d jobs: %d bytes that differ from pqarrow's %d", n, got.Len(), len(want))
		}
	}
}

// plainJobs are n jobs with short names, some of them empty.
func plainJobs(t testing.TB, n int) *sim.Workload {
	t.Helper()
	jobs := make([]sim.Job, n)
	names := []string{"", "VGG-16", "ü", "a,b\n\"c\""}
	for i := range jobs {
		jobs[i] = sim.Job{ID: string(rune('a'+i%26)) + string(rune('a'+i/26%26)), Submit: sim.Time(i * 7),
			GPUs: int32(1 + i%8), Work: sim.Time(1 + i*i%977),
			IterS: 0.1 * float64(i%13), Model: names[i%4], User: names[i/3%4], Drawn: origin.Model}
	}
	return &sim.Workload{Name: "plain", Jobs: jobs, Origins: []origin.Origin{{Field: "model", Source: "drawn"}}}
}

func BenchmarkWriteJobs(b *testing.B) {
	w := plainJobs(b, 200_000)
	for _, c := range []struct {
		name  string
		write func() int
	}{
		{"columns", func() int {
			var out bytes.Buffer
			if err := WriteJobs(&out, w); err != nil {
				b.Fatal(err)
			}
			return out.Len()
		}},
		{"pqarrow", func() int { return len(twin(b, w)) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.write()
			}
			b.ReportMetric(float64(len(w.Jobs)*b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
