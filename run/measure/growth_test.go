package measure

import (
	"fmt"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/end"
)

// Batches are means over the GPU-time of running; nothing is reported of jobs that run as they are.
func TestBatchesAndMarks(t *testing.T) {
	piece := func(gpus int, run sim.Time, k sim.Knobs, why end.Reason) *sim.Interval {
		return &sim.Interval{GPUs: make([]cluster.GPU, gpus), Run: run * sim.Second, Knobs: k, Reason: why}
	}
	own := sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1}
	twice, four := own, own
	twice.Batch = 2
	four.Batch, four.AccumSteps = 4, 3
	for _, c := range []struct {
		of   []*sim.Interval
		want string
	}{
		{[]*sim.Interval{piece(1, 9, own, end.Finish)}, ""},
		{[]*sim.Interval{piece(1, 9, own, end.Mark), piece(1, 9, own, end.Finish)}, "marks=1;"},
		{[]*sim.Interval{piece(1, 10, own, end.Tune), piece(3, 10, twice, end.Finish)}, "batch_over_own=1.75;"},
		{[]*sim.Interval{piece(2, 10, own, end.Mark), piece(2, 10, four, end.Finish)},
			"marks=1;batch_over_own=2.5;accum_steps_mean=3;"},
	} {
		var g growth
		for _, i := range c.of {
			g.interval(i)
		}
		got := ""
		g.rows(func(name, _, _ string, v float64) { got += fmt.Sprintf("%s=%v;", name, v) })
		if got != c.want {
			t.Errorf("%d pieces: %q, expected %q", len(c.of), got, c.want)
		}
	}
}

// Running out of GPU memory is counted where the cluster states memory, also when it does not
// happen.
func TestOutOfMemoryIsCounted(t *testing.T) {
	spec := cluster.Uniform(1, 1, 2, 1)
	for _, mib := range []int64{0, 10} {
		spec.Racks[0][0].GPUMiB = mib
		top, err := cluster.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		for outs := range int32(2) {
			b, got := New(top, "", nil), -1.0
			for range 3 {
				b.Job(&sim.Job{GPUs: 1, Work: 1}, &sim.Record{State: sim.Done, OutOfMemory: 2 * outs}, nil)
			}
			b.Rows(nil, func(name, of, unit string, v float64) {
				if name == "out_of_memory" && of == "" && unit == "events" {
					got = v
				}
			})
			if want := float64(6 * outs); mib > 0 && got != want || mib == 0 && got != -1 {
				t.Errorf("with %d MiB: %v, expected %v where there is memory", mib, got, want)
			}
		}
	}
}
