package gavelref

import (
	"fmt"
	"math"

	"tarry/fidelity/reference"
	"tarry/sim"
)

// roundLog notes when jobs were given GPUs, by the observer of a run: in the simulator's mode every
// round gives them anew.
type roundLog struct {
	starts map[int64]map[int32]bool // millisecond of the start -> jobs
}

// Interval notes an allocation.
func (r *roundLog) Interval(i *sim.Interval) {
	if r.starts == nil {
		r.starts = map[int64]map[int32]bool{}
	}
	at := int64(math.Round(i.Start.Seconds() * 1e3))
	if r.starts[at] == nil {
		r.starts[at] = map[int32]bool{}
	}
	r.starts[at][int32(i.Job)] = true
}

// Job implements sim.Observer.
func (*roundLog) Job(*sim.Record) {}

// Instant implements sim.Observer.
func (*roundLog) Instant(*sim.Gauge) {}

// apart names the first row of a file of rounds that the run has not: job numbers are the trace's.
func (r *roundLog) apart(file string) string {
	want, err := reference.ReadRows(file, "round_start_s", "job_id", "gpu_type")
	if err != nil {
		return "there is no list of rounds"
	}
	for i := range want.Cells {
		at, err1 := want.Number(i, "round_start_s")
		job, err2 := want.Number(i, "job_id")
		if err1 != nil || err2 != nil {
			break
		}
		ms := int64(math.Round(at * 1e3))
		if !r.starts[ms][int32(job)] && !r.starts[ms-1][int32(job)] && !r.starts[ms+1][int32(job)] {
			return fmt.Sprintf("the first round that differs is that at %v s, where job %v runs on %s", at, job,
				want.Text(i, "gpu_type"))
		}
	}
	return "the same jobs run in every round"
}
