package sim

import (
	"context"
	"strings"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/know"
)

// A cordon and an outage of one machine are counted apart: the end of one is not the end of the
// other.
func TestCordonAndOutage(t *testing.T) {
	w := jobs(t, Job{GPUs: 1, Work: 30 * Second})
	out := Schedule{{At: Second, Machine: 0, GPU: -1}, {At: 10 * Second, Machine: 0, GPU: -1, Up: true},
		{At: 11 * Second, Machine: 0, GPU: 0, Up: true}}
	at := map[Time][]Decision{
		0:           {{Kind: Cordon, Machine: 0}},
		5 * Second:  {{Kind: Uncordon, Machine: 0}},
		12 * Second: {{Kind: Start, GPUs: []cluster.GPU{0}}},
	}
	p := script{f: func(v *View, out []Decision) []Decision {
		if free := v.Free().Has(0); free != (v.Now() == 0 || v.Now() >= 10*Second && v.Run(0).State() != Running) {
			t.Errorf("at %v: free is %v", v.Now(), free)
		}
		out = append(out, at[v.Now()]...)
		return append(out, Decision{Kind: WakeAt, At: v.Now() + Second})
	}}
	if _, err := Run(context.Background(), Config{Workload: w, Topology: topology(t, 1, 1, 1, 1), Speed: counting{},
		Outages: out.Source(), Check: true}, p); err != nil {
		t.Fatal(err)
	}
	for _, ds := range [][]Decision{{{Kind: Uncordon}}, {{Kind: Cordon}, {Kind: Cordon}}} {
		p := script{f: func(v *View, out []Decision) []Decision { return append(out, ds...) }}
		if _, err := Run(context.Background(), Config{Workload: w, Topology: topology(t, 1, 1, 1, 1),
			Speed: counting{}}, p); err == nil || !strings.Contains(err.Error(), "the machine's cordon is") {
			t.Errorf("error %v", err)
		}
	}
}

// Tune accounts for CPU and memory, and Predict names the jobs that the job would join.
func TestTuneHostsAndPredictPeers(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 1, CPUMilli: 1000}}}})
	if err != nil {
		t.Fatal(err)
	}
	w := jobs(t, Job{GPUs: 1, Work: 4 * Second, ShareMilli: 500, CPUMilli: 300},
		Job{GPUs: 1, Work: 4 * Second, ShareMilli: 500, CPUMilli: 300})
	tuned := int32(600)
	p := script{know: know.Speed, f: func(v *View, out []Decision) []Decision {
		switch v.Now() {
		case 0:
			out = append(out, Decision{Kind: Start, GPUs: []cluster.GPU{0}}, Decision{Kind: WakeAt, At: Second})
		case Second:
			if s := v.Predict(1, Placement{GPUs: []cluster.GPU{0}}); s.Rate != 0.25 {
				t.Errorf("joining one job is predicted to run at %v, want 0.25", s.Rate)
			}
			out = append(out, Decision{Kind: Tune, Knobs: Knobs{CPUMilli: tuned}},
				Decision{Kind: Start, Job: 1, GPUs: []cluster.GPU{0}})
		}
		return out
	}}
	cfg := Config{Workload: w, Topology: top, Speed: crowded{}, Check: true}
	if _, err := Run(context.Background(), cfg, p); err != nil {
		t.Fatal(err)
	}
	tuned = 1001
	if _, err := Run(context.Background(), cfg, p); err == nil ||
		!strings.Contains(err.Error(), "thousandths of CPU in use") {
		t.Errorf("error %v, want one about CPU", err)
	}
}

// crowded halves the speed of a job that shares its GPU.
type crowded struct{}

func (crowded) Speed(q *Query) (Speed, error) {
	r := float64(q.ShareMilli) / 1000
	if len(q.Peers) > 0 {
		r /= 2
	}
	return Speed{Rate: r, ComputeFrac: 1}, nil
}
