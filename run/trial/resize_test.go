package trial

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
)

// sizes gives the only job one of several allocations after the other, ten seconds each.
type sizes struct {
	list [][]cluster.GPU
	at   int
}

func (*sizes) Knows() know.Set { return know.Nothing }

func (p *sizes) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if v.Run(0).State() == sim.Done || p.at == len(p.list) {
		return out
	}
	d := sim.Decision{Kind: sim.Resize, GPUs: p.list[p.at]}
	if p.at == 0 {
		d.Kind = sim.Start
	}
	p.at++
	return append(out, d, sim.Decision{Kind: sim.WakeAt, At: v.Now() + 10*sim.Second})
}

// Each size of an elastic job is a row of intervals, with its GPUs and its rate.
func TestEachSizeIsARow(t *testing.T) {
	w := workload(t, sim.Job{ID: "a", GPUs: 2, MinGPUs: 1, MaxGPUs: 4, Work: 100 * sim.Second})
	tr := newTrial(w, topology(t, 1, 2, 2), 0)
	tr.Costs.Rescale.FixedS, tr.KeepIntervals = 2, true
	tr.Speed = func() (sim.SpeedModel, error) { return ideal{}, nil }
	tr.Policy = func() (sim.Policy, error) {
		return &sizes{list: [][]cluster.GPU{{0, 1}, {0}, {0, 1, 2, 3}, {1, 2}}}, nil
	}
	done, err := Run(context.Background(), []Trial{tr}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, i := range done[0].Intervals {
		got = append(got, fmt.Sprintf("%v-%v on %d (%s) at %.3g, %s", i.Start, i.End, i.GPUs, i.GPUList, i.Rate,
			i.Reason))
	}
	if want := []string{"0-10 on 2 (0-1) at 2, resize", "10-20 on 1 (0) at 1, resize", "20-30 on 4 (0-3) at 4, resize",
		"30-52 on 2 (1-2) at 2, finish"}; !slices.Equal(got, want) {
		t.Errorf("rows %q, expected %q", got, want)
	}
	var rows []string
	for _, m := range done[0].Measures {
		rows = append(rows, fmt.Sprintf("%s %.4g %s", m.Name, m.Value, m.Unit))
	}
	// 20 + 10 + 40 + 44 GPU-seconds in 52 s of 2 GPUs asked.
	if want := []string{"elastic_jobs 1 jobs", "resized_jobs 1 jobs", "resizes 3 count", "resizes_up 1 count",
		"resizes_down 2 count", "gpus_held_over_asked 1.096 ratio"}; !slices.Equal(rows, want) {
		t.Errorf("measures %q, expected %q", rows, want)
	}
}
