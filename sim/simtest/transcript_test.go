package simtest

import (
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/outage"
)

// dictated is a policy that decides what it is given for each instant.
type dictated map[sim.Time][]sim.Decision

func (dictated) Knows() know.Set { return know.Nothing }
func (d dictated) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	return append(out, d[v.Now()]...)
}

// A transcript names every kind of decision and event, the state after each instant, and
// the sums at the end.
func TestTranscript(t *testing.T) {
	w, err := sim.NewWorkload("all", []sim.Job{{ID: "a", GPUs: 1, MaxGPUs: 2, Work: 10 * sim.Second},
		{ID: "b", GPUs: 1, Work: 9 * sim.Second, Submit: 2 * sim.Second}})
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 2, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	const s = sim.Second
	cfg := sim.Config{Workload: w, Topology: top, Speed: Counting{}, Check: true,
		Costs:   sim.Costs{Checkpoint: sim.Cost{FixedS: 1}},
		Outages: outage.Schedule{{At: 7 * s, Machine: 1, GPU: 0}, {At: 8 * s, Machine: 1, GPU: 0, Up: true}}.Source()}
	p := dictated{
		0: {{Kind: sim.Start, GPUs: []cluster.GPU{0}, Lease: 3 * s, Knobs: sim.Knobs{Delay: s / 2}},
			{Kind: sim.WakeAt, Key: 4, At: s}, {Kind: sim.WakeAt, Key: 5, At: 9 * s},
			{Kind: sim.Watch, Counter: sim.RunTime, Bound: s}},
		s: {{Kind: sim.Migrate, GPUs: []cluster.GPU{1}}, {Kind: sim.Cordon}},
		2 * s: {{Kind: sim.Start, Job: 1, GPUs: []cluster.GPU{2},
			Knobs: sim.Knobs{ShareMilli: 500, FreqFrac: .5, Batch: 2, CPUMilli: 3, MemMiB: 4}},
			{Kind: sim.Watch, Job: 1, Counter: sim.Service, Bound: 5 * s}, {Kind: sim.Watch, Job: 1, Bound: sim.Never}},
		3 * s: {{Kind: sim.Renew, Lease: s}, {Kind: sim.Uncordon}},
		4 * s: {{Kind: sim.Resize, GPUs: []cluster.GPU{0, 1}}, {Kind: sim.Tune, Knobs: sim.Knobs{FreqFrac: .5}},
			{Kind: sim.WakeAt, Key: 5, At: sim.Never}, {Kind: sim.WakeAt, Key: 4, At: 6 * s}},
		6 * s: {{Kind: sim.Preempt}},
	}
	got, err := Transcript(cfg, p)
	if err != nil {
		t.Fatal(err)
	}
	// Job a runs 0.5 s to 6 s: 3.5 s on one GPU and 2 s at half the clock on two, so 5.5 of 10 s
	// are done. Job b loses all to the fault.
	want := `
time   event        decision                                                                   free   waiting
0s     a: arrive    start a on 0, lease 3s, delay 0.5s
                    timer 4 at 1s
                    timer 5 at 9s
                    watch a until 1s of running                                                3
1s     timer 4      migrate a on 1
                    cordon machine 0                                                           2
1.5s   a: cross     -                                                                          2
2s     b: arrive    start b on 2, share 500, clock 0.5, batch 2, cpu 3, memory 4
                    watch b until 5s of GPU-time
                    watch b: cancel                                                            1
3s     a: expire    renew a, lease 1s
                    uncordon machine 0                                                         2
4s     a: expire    resize a on 0-1
                    tune a, clock 0.5
                    cancel timer 5
                    timer 4 at 6s                                                              1
6s     timer 4      preempt a                                                                  1      a (draining)
7s     a: drained   -
       b: fail
       unit: fail                                                                              3      a b
8s     unit: repair -                                                                          4      a b

0 of 2 jobs done at 8s; mean time to completion 0s, of it waiting 0s, overhead 0s; 1 preemptions, 1 migrations
`
	clean := func(s string) string { // the widths of the columns are tabwriter's affair
		var out []string
		for line := range strings.Lines(s) {
			out = append(out, strings.Join(strings.Fields(line), " "))
		}
		return strings.TrimSpace(strings.Join(out, "\n"))
	}
	if clean(got) != clean(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, err := Transcript(cfg, dictated{0: {{Kind: sim.Preempt}}}); err == nil ||
		!strings.Contains(err.Error(), "the job is waiting") {
		t.Errorf("a wrong decision gives %v", err)
	}
}
