package hours

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"tarry/baselines/hours/slots"
	"tarry/internal/sharedata"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/power"
	"tarry/sim/power/books"
	"tarry/sim/series"
	"tarry/sim/simtest"
)

const hour = 3600 * sim.Time(1e6)

// days are the days of the results at hand: slots of an hour, jobs of whole hours.
func days(t *testing.T) (out []*slots.Day) {
	for _, file := range sharedata.References(t, "*/*.json") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var list []struct {
			Price    []float64
			Nodes    int
			PerNode  int     `json:"gpus_per_node"`
			NodeW    float64 `json:"node_w"`
			GPUW     float64 `json:"gpu_w"`
			SwitchWh float64 `json:"switch_on_wh"`
			Jobs     []struct{ GPUs, Slots, Ready, Due int }
		}
		if json.Unmarshal(text, &list) != nil || len(list) == 0 || list[0].PerNode == 0 || list[0].Price == nil {
			continue
		}
		for _, x := range list {
			d := &slots.Day{Nodes: x.Nodes, PerNode: x.PerNode, NodeW: x.NodeW, SwitchWh: x.SwitchWh}
			for _, p := range x.Price {
				d.Slots = append(d.Slots, slots.Slot{Price: p, Len: int64(hour)})
			}
			for _, j := range x.Jobs {
				d.Jobs = append(d.Jobs, slots.Job{GPUs: j.GPUs, Watts: float64(j.GPUs) * x.GPUW, Ready: j.Ready,
					Left: int64(j.Slots) * int64(hour), Due: j.Due})
			}
			out = append(out, d)
		}
	}
	if len(out) == 0 {
		t.Skip("no days among the results of other programs")
	}
	return out
}

// played is what came of a run.
type played struct {
	plan slots.Plan // the slots in which each job ran
	late int
	cost float64 // of the books, in price x kWh
	runs []run
}

// run is an allocation of a job.
type run struct {
	job        sim.JobID
	start, end sim.Time
}

// tape is an observer of allocations.
type tape struct{ runs []run }

func (o *tape) Interval(i *sim.Interval) { o.runs = append(o.runs, run{i.Job, i.Start, i.End}) }
func (o *tape) Job(*sim.Record)          {}
func (o *tape) Instant(*sim.Gauge)       {}

// play runs a policy on a day: jobs come when they are ready, and machines draw what nodes do.
func play(t *testing.T, d *slots.Day, p sim.Policy) (out played) {
	t.Helper()
	var jobs []sim.Job
	var order []int
	for ready := range d.Slots {
		for i, j := range d.Jobs {
			if j.Ready == ready {
				order = append(order, i)
				jobs = append(jobs, sim.Job{ID: fmt.Sprintf("%03d", len(order)), Submit: sim.Time(ready) * hour,
					GPUs: int32(j.GPUs), Work: sim.Time(j.GPUs) * sim.Time(j.Left), Deadline: sim.Time(j.Due) * hour})
			}
		}
	}
	w, err := sim.NewWorkload("day", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, d.Nodes, d.PerNode, 1))
	if err != nil {
		t.Fatal(err)
	}
	m := &power.Model{Of: make([]int32, d.Nodes), Price: new(series.Series), Specs: []power.Spec{{IdleW: d.NodeW,
		LinearW: d.Jobs[0].Watts / float64(d.Jobs[0].GPUs), CycleJ: 3600 * d.SwitchWh}}}
	for i, s := range d.Slots {
		m.Price.Steps = append(m.Price.Steps, series.Step{At: int64(i) * int64(hour), Value: s.Price})
	}
	book, err := books.New(m, top, nil)
	if err != nil {
		t.Fatal(err)
	}
	var seen tape
	cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Power: m, Check: true}
	if _, err := sim.Run(context.Background(), cfg, p, &seen, book); err != nil {
		t.Fatal(err)
	}
	out = played{plan: make(slots.Plan, len(d.Jobs)), cost: book.Cost(), runs: seen.runs}
	for _, r := range seen.runs {
		i := order[r.job]
		for s := (r.start + hour/2) / hour; s < (r.end+hour/2)/hour; s++ {
			out.plan[i] = append(out.plan[i], int(s))
		}
		if (r.end+hour/2)/hour > sim.Time(d.Jobs[i].Due) {
			out.late++
		}
	}
	return out
}

// How far the policy is above the optimum of days of which it learns a job when that is ready, and
// of the same days with all jobs ready at once: there it has all facts, plans exactly, and starts,
// pauses and boots happen in the slots that are planned.
func TestGapThroughTheKernel(t *testing.T) {
	for _, c := range []struct {
		settings string
		most     float64 // above the optimum, of days that are not known
	}{{"sleep=false", 0.01}, {"sleep=false,preempt=true", 0.02}, {"", 0.02}, {"preempt=true", 0.15}} {
		for _, known := range []bool{true, false} {
			sum, least, first, n := 0.0, 0.0, 0.0, 0
			for k, d := range days(t) {
				p := simtest.Build(t, "ce-dla-like", New, c.settings)().(*Policy)
				d.Preempt, d.Off, d.On = p.preempt, p.sleep, d.Nodes
				for i := range d.Jobs {
					if known {
						d.Jobs[i].Ready = 0
					}
				}
				var s slots.Solver
				got := play(t, d, p)
				early, _ := d.Earliest()
				e, inTime := d.Cost(early)
				cost, ok := d.Cost(got.plan)
				if solved, _ := s.Solve(d, 1e5); !solved || !inTime {
					continue
				}
				if !ok || got.late > 0 {
					t.Errorf("%q, day %d: %v is no plan in time", c.settings, k, got.plan)
				}
				if !p.sleep && got.cost > cost/1000+1e-6 { // books end with the last job
					t.Errorf("%q, day %d: the books have %v, expected at most %v", c.settings, k, got.cost, cost/1000)
				}
				n, sum, least, first = n+1, sum+cost, least+s.Cost(), first+e
			}
			t.Logf("%q, known %v: %d days, %.1f %% above the optimum; earliest %.1f %%", c.settings, known, n,
				100*(sum/least-1), 100*(first/least-1))
			if above := sum/least - 1; above > c.most || known && above > 1e-9 || n == 0 {
				t.Errorf("%q: %v above the optimum, known %v, expected at most %v", c.settings, above, known, c.most)
			}
		}
	}
}
