package sweep

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/sim"
	"tarry/sim/entry"
)

// TestTracesAreReadOnce: the cells of a process share a trace, and none of them changes it.
func TestTracesAreReadOnce(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "jobs.csv")
	text := "id,submit_s,gpus,work_s\n"
	for i := range 40 {
		text += fmt.Sprintf("j%d,%d,%d,%d\n", i, i*10, 1<<(i%3), 50+i*7%90)
	}
	if err := os.WriteFile(trace, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "s")
	planIn(t, dir, fmt.Sprintf(`name: shared
kind: simulate
base: {trace: "csv:%s", cluster: 2x2x8, models: paper}
axes: [{name: policy, values: [fifo, srtf]}]
seeds: 3
`, trace))
	from := shipped.All()
	from.Traces = append(entry.Traces(nil), from.Traces...)
	var reads atomic.Int32
	var jobs *sim.Workload
	for i, f := range from.Traces {
		if f.Name == "csv" {
			from.Traces[i].Open = func(path string, opt entry.TraceOptions) (*sim.Workload, *entry.Report, error) {
				reads.Add(1)
				w, report, err := f.Open(path, opt)
				jobs = w
				return w, report, err
			}
		}
	}
	f, err := Open(from, dir)
	if err != nil {
		t.Fatal(err)
	}
	before := ""
	for i := range f.Len() {
		if err := f.Work(t.Context(), i, WorkOptions{Host: "h"}); err != nil {
			t.Fatal(err)
		}
		if before == "" {
			before = jobs.Hash()
		}
	}
	if n := reads.Load(); n != 1 || jobs.Hash() != before {
		t.Errorf("%d reads, expected 1; the jobs are the same: %v", n, jobs.Hash() == before)
	}
}
