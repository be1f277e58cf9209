package results

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// sampleJobs makes rows that look like a run's.
func sampleJobs(n int) []Job {
	r := rand.New(rand.NewPCG(1, 2))
	rows := make([]Job, n)
	at := 0.0
	for i := range rows {
		at += r.ExpFloat64() * 60
		run := r.ExpFloat64() * 3600
		rows[i] = Job{
			Keys: Keys{Experiment: "week", Policy: "dally:lease=60", Trace: "philly", Cluster: "8x4x8",
				Speed: "collective", Placement: "best-fit", Seed: 7, Replicate: 3},
			ID: fmt.Sprint(i), Submit: at, Start: at + 10, End: at + 10 + run, JCT: run + 10, Queue: 10, Run: run,
			Compute: run * .9, Comm: run * .1, GPUs: int64(1) << r.IntN(5),
			Model: []string{"resnet50", "bert-large", "gpt2"}[r.IntN(3)],
			User:  fmt.Sprintf("u%d", r.IntN(300)), VC: "vc1", Tier: "machine", Allocations: 1, AllocMachine: 1,
			Slowdown: 1 + r.Float64(), State: "Pass", Drawn: "model",
		}
	}
	return rows
}

// twelve is a row of 12 columns of every sort.
type twelve struct {
	A    string  `col:"policy"`
	B    string  `col:"trace"`
	C    string  `col:"user"`
	D    string  `col:"job"`
	E    int64   `col:"jobs"`
	F    int64   `col:"replicate"`
	G    int32   `col:"gpus"`
	H    uint64  `col:"seed"`
	Time int64   `col:"time_us"`
	I    float64 `col:"jct_s"`
	J    float64 `col:"comm_s"`
	GPUs string  `col:"gpu_list"`
}

func (twelve) Table() string { return "twelve" }

func sampleTwelve(n int) []twelve {
	r := rand.New(rand.NewPCG(1, 2))
	rows := make([]twelve, n)
	at := 0.0
	for i := range rows {
		at += r.ExpFloat64() * 60e6
		first := r.IntN(512)
		rows[i] = twelve{A: "dally:lease=60", B: "philly", C: fmt.Sprintf("u%d", r.IntN(300)),
			D: fmt.Sprint("job-", i), E: int64(i), F: 3, G: int32(1) << r.IntN(5),
			H: r.Uint64() >> 1, Time: int64(at), I: r.ExpFloat64() * 3600, J: math.NaN(),
			GPUs: FormatGPUs([]int32{int32(first), int32(first + 1)})}
		if i%10 > 0 {
			rows[i].J = rows[i].I / 10
		}
	}
	return rows
}

func BenchmarkWriteTwelve(b *testing.B) { write(b, sampleTwelve(1_000_000)) }

func BenchmarkReadTwelve(b *testing.B) { read(b, sampleTwelve(1_000_000)) }

func BenchmarkWriteJobs(b *testing.B) { write(b, sampleJobs(1_000_000)) }

func BenchmarkReadJobs(b *testing.B) { read(b, sampleJobs(1_000_000)) }

// Each codec on the same jobs; the first is the default.
func BenchmarkWriteCodecs(b *testing.B) {
	rows := sampleJobs(200_000)
	for _, name := range Codecs() {
		b.Run(name, func(b *testing.B) { writeMeta(b, rows, Meta{Codec: Codec(name)}) })
	}
}

func write[T Row](b *testing.B, rows []T) { writeMeta(b, rows, Meta{}) }

func writeMeta[T Row](b *testing.B, rows []T, meta Meta) {
	path := filepath.Join(b.TempDir(), "part-0.parquet")
	for b.Loop() {
		if err := Write(context.Background(), Target{Path: path, Meta: meta}, rows); err != nil {
			b.Fatal(err)
		}
	}
	st, _ := os.Stat(path)
	b.ReportMetric(float64(len(rows)*b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
	b.ReportMetric(float64(st.Size())/float64(len(rows)), "bytes/row")
}

func read[T Row](b *testing.B, rows []T) {
	path := filepath.Join(b.TempDir(), "part-0.parquet")
	if err := Write(context.Background(), Target{Path: path}, rows); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		n := 0
		if _, err := Scan(context.Background(), path, func(part []T) error {
			n += len(
				part)
			return nil
		}); err != nil || n != len(rows) {
			b.Fatal(n, err)
		}
	}
	b.ReportMetric(float64(len(rows)*b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
}

// A trial's own file is small: what counts is the cost per file.
func BenchmarkWriteOneTrial(b *testing.B) {
	path := filepath.Join(b.TempDir(), "trials.parquet")
	for b.Loop() {
		if err := Write(context.Background(), Target{Path: path}, []Trial{{}}); err != nil {
			b.Fatal(err)
		}
	}
}
