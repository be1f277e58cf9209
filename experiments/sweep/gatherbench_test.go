package sweep

import (
	"fmt"
	"path/filepath"
	"testing"
)

// BenchmarkGather: 300 cells whose tables are put together.
func BenchmarkGather(b *testing.B) {
	const cells = 300
	f := planIn(b, filepath.Join(b.TempDir(), "s"), fmt.Sprintf(`name: one
kind: simulate
base: {trace: "synth:demo,jobs=20", cluster: 2x2x8, policy: fifo}
seeds: %d
`, cells))
	for i := range cells {
		if err := f.Work(b.Context(), i, WorkOptions{Host: "h"}); err != nil {
			b.Fatal(err)
		}
	}
	n := 0
	for b.Loop() {
		n++
		if fresh, err := f.Gather(b.Context(), fmt.Sprint(n)); err != nil {
			b.Fatal(fresh, err)
		}
		if err := ungather(f.Dir); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N*cells)*1e3, "ms/cell")
}
