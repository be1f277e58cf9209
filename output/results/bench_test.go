package results

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// sampleJobs makes rows that look like those of a run.
func sampleJobs(n int) []Job {
	r := rand.New(rand.NewPCG(1, 2))
	rows := make([]Job, n)
	at := 0.0
	for i := range rows {
		at += r.ExpFloat64() * 60
		run := r.ExpFloat64() * 3600
		rows[i] = Job{
			Keys: Keys{Experiment: "week", Policy: "dally:lease=60", Trace: "philly", Cluster: "8x4x8", Speed: "collective", Placement: "best-fit", Seed: 7, Replicate: 3},
			ID:   fmt.Sprint(i), Submit: at, Start: at + 10, End: at + 10 + run, JCT: run + 10, Queue: 10, Run: run,
			Compute: run * .9, Comm: run * .1, GPUs: int64(1) << r.IntN(5), Model: []string{"resnet50", "bert-large", "gpt2"}[r.IntN(3)],
			User: fmt.Sprintf("u%d", r.IntN(300)), VC: "vc1", Tier: "machine", Allocations: 1, AllocMachine: 1, Slowdown: 1 + r.Float64(), State: "Pass", Drawn: "model",
		}
	}
	return rows
}

func BenchmarkWriteJobs(b *testing.B) {
	rows := sampleJobs(1_000_000)
	path := filepath.Join(b.TempDir(), "jobs.parquet")
	for b.Loop() {
		if err := Write(context.Background(), Target{Path: path}, rows); err != nil {
			b.Fatal(err)
		}
	}
	st, _ := os.Stat(path)
	b.ReportMetric(float64(len(rows)*b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
	b.ReportMetric(float64(st.Size())/float64(len(rows)), "bytes/row")
}

func BenchmarkReadJobs(b *testing.B) {
	rows := sampleJobs(1_000_000)
	path := filepath.Join(b.TempDir(), "jobs.parquet")
	if err := Write(context.Background(), Target{Path: path}, rows); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		n := 0
		if _, err := Scan(context.Background(), path, func(part []Job) error { n += len(part); return nil }); err != nil || n != len(rows) {
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
