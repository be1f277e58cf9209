package sweep

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/env/scenario"
	"tarry/run/trial"
)

// hundredThousand is a sweep whose cells are only recorded.
const hundredThousand = `name: big
kind: simulate
base: {trace: "synth:demo,jobs=5,load={load}", cluster: 2x2x8, costs: {restore_s: 5}}
axes: [{name: load, grid: {from: 0.1, to: 1, steps: 50}}, {name: policy, values: [fifo, dally]}]
seeds: SEEDS
`

// big is hundredThousand and how many cells it has: 100 000, and 1 000 of them with -short.
func big() (text string, cells int) {
	seeds := 1000
	if testing.Short() {
		seeds = 10
	}
	return strings.ReplaceAll(hundredThousand, "SEEDS", strconv.Itoa(seeds)), 100 * seeds
}

// BenchmarkStatus: 100 000 recorded cells, opened and counted.
func BenchmarkStatus(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "s")
	text, cells := big()
	f := planIn(b, dir, text)
	for i := range f.Len() {
		c, err := f.Cell(i)
		if err != nil {
			b.Fatal(err)
		}
		if err := os.MkdirAll(f.CellDir(i), 0o777); err != nil {
			b.Fatal(err)
		}
		s := Status{State: Done, Attempts: 1, Host: "host", ConfigSHA256: c.ConfigSHA256}
		if err := os.WriteFile(filepath.Join(f.CellDir(i), statusName), s.json(), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		g, err := Open(shipped.All(), dir)
		if err != nil {
			b.Fatal(err)
		}
		done := 0
		for _, s := range g.Statuses() {
			if s.State == Done {
				done++
			}
		}
		if done != cells {
			b.Fatalf("%d done", done)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/status")
}

// BenchmarkPlan: spelling 100 000 cells out and laying them down.
func BenchmarkPlan(b *testing.B) {
	text, _ := big()
	i := 0
	for b.Loop() {
		i++
		planIn(b, filepath.Join(b.TempDir(), fmt.Sprint(i)), text)
	}
}

// BenchmarkOverhead: a cell through Work against its trial alone, with the same tables written.
func BenchmarkOverhead(b *testing.B) {
	text := `name: one
kind: simulate
base: {trace: "synth:demo,jobs=20", cluster: 2x2x8, policy: fifo}
seeds: 100000
`
	b.Run("cell", func(b *testing.B) {
		f := planIn(b, filepath.Join(b.TempDir(), "s"), text)
		i := 0
		for b.Loop() {
			if err := f.Work(context.Background(), i, WorkOptions{Host: "h"}); err != nil {
				b.Fatal(err)
			}
			i++
		}
	})
	b.Run("trial", func(b *testing.B) {
		dir, from := b.TempDir(), shipped.All()
		kept := &scenario.Kept{From: from.Catalogues, Most: 1}
		i := 0
		for b.Loop() {
			i++
			c := Cell{Kind: "simulate", Seed: uint64(i), Settings: Settings{"trace": "synth:demo,jobs=20",
				"cluster": "2x2x8", "policy": "fifo"}}
			s, err := buildSimulate(b.Context(), from, kept, &c, "cell", func(string) string { return "" }, false)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := trial.Run(context.Background(), s.Trials(),
				trial.Options{Out: filepath.Join(dir, fmt.Sprint(i))}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
