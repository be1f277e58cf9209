package hours

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/power"
	"tarry/sim/series"
	"tarry/sim/simtest"
)

// bench is a drawn workload of some days under prices by the hour, which repeat every day.
type bench struct {
	jobs   []sim.Job
	prices []float64
	nodes  int
}

func drawnBench(r *rand.Rand, jobs, nodes int) *bench {
	b := &bench{nodes: nodes}
	for range 24 {
		b.prices = append(b.prices, float64(1+r.IntN(30)))
	}
	for i := range jobs {
		b.jobs = append(b.jobs, sim.Job{ID: fmt.Sprintf("%03d", i), Submit: sim.Time(r.Int64N(int64(30 * hour))),
			GPUs: 1 << r.IntN(3), Work: sim.Time(r.Int64N(int64(9*hour))) + 1})
	}
	return b
}

// run plays a policy under the prices, and gives its allocations.
func (b *bench) run(t *testing.T, p sim.Policy, series *series.Series) []string {
	t.Helper()
	w, err := sim.NewWorkload("laws", slices.Clone(b.jobs))
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, b.nodes, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	m := &power.Model{Of: make([]int32, b.nodes), Price: series,
		Specs: []power.Spec{{IdleW: 300, LinearW: 200, BootW: 250, BootS: 90, DownS: 10, CycleJ: 100}}}
	var seen simtest.Tape
	cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Power: m, Check: true}
	if _, err := sim.Run(context.Background(), cfg, p, &seen); err != nil {
		t.Fatal(err)
	}
	return seen.Lines
}

// day is the prices as a series.
func (b *bench) day() *series.Series {
	s := &series.Series{Every: 24 * int64(hour)}
	for h, p := range b.prices {
		s.Steps = append(s.Steps, series.Step{At: int64(h) * int64(hour), Value: p})
	}
	return s
}

// Without slack, and under a constant price, shift is its host, and ce-dla-like starts jobs when they
// come, by its order; under other prices they differ.
func TestNothingToShift(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	b := drawnBench(r, 60, 4)
	differ := 0
	for _, host := range []string{"fifo", "las", "srtf"} {
		of, err := hosts(host, cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		want := b.run(t, of, b.day())
		for _, rule := range rules() {
			shifted := func(slack string, s *series.Series) []string {
				return b.run(t, simtest.Build(t, "shift", NewShift(hosts), "host="+host+",rule="+rule+",slack_h="+slack)(), s)
			}
			if got := shifted("0", b.day()); !slices.Equal(got, want) {
				t.Errorf("%s, %s without slack differs from the host", host, rule)
			}
			if got := shifted("7", series.Constant(3)); !slices.Equal(got, want) {
				t.Errorf("%s, %s at a constant price differs from the host", host, rule)
			}
			if !slices.Equal(shifted("7", b.day()), want) {
				differ++
			}
		}
	}
	if differ != 9 {
		t.Errorf("%d of 9 differ under prices, expected all", differ)
	}
	plain := func(text string, s *series.Series) []string {
		return b.run(t, simtest.Build(t, "ce-dla-like", New, "sleep=false,"+text)(), s)
	}
	want := plain("slack_h=0", b.day())
	if !slices.Equal(plain("slack_h=0", series.Constant(2)), want) {
		t.Error("ce-dla-like without slack depends on prices")
	}
	for _, states := range []string{"0", "5000"} {
		if !slices.Equal(plain("slack_h=7,states="+states, series.Constant(2)), want) {
			t.Error("ce-dla-like with slack waits at a constant price")
		}
	}
	if slices.Equal(plain("slack_h=7", b.day()), want) {
		t.Error("ce-dla-like with slack does not depend on prices")
	}
}

// starts is the starts and ends of jobs that ran on a cluster with room for all, by job.
func starts(t *testing.T, b *bench, p sim.Policy) (out [][]run) {
	t.Helper()
	out = make([][]run, len(b.jobs))
	w, err := sim.NewWorkload("laws", slices.Clone(b.jobs))
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, b.nodes, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	var seen tape
	cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true,
		Power: &power.Model{Of: make([]int32, b.nodes), Specs: []power.Spec{{IdleW: 1, LinearW: 1}}, Carbon: b.day()}}
	if _, err := sim.Run(context.Background(), cfg, p, &seen); err != nil {
		t.Fatal(err)
	}
	for _, x := range seen.runs {
		j := slices.IndexFunc(b.jobs, func(j sim.Job) bool { return j.ID == w.Jobs[x.job].ID })
		out[j] = append(out[j], x)
	}
	return out
}

// price is the sum of prices over a time.
func (b *bench) price(from, to sim.Time) (sum float64) {
	for t := from; t < to; {
		next := min(to, t-t%hour+hour)
		sum += b.prices[t/hour%24] * float64(next-t)
		t = next
	}
	return sum
}

// With room for all jobs each starts where its rule states, found by looking at all starts.
func TestRules(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	b := drawnBench(r, 40, 60)
	for k := range b.jobs {
		b.jobs[k].GPUs = 1
	}
	for _, name := range rules() {
		p := simtest.Build(t, "shift", NewShift(hosts), "by=carbon,slack_h=5,rule="+name)()
		for i, got := range starts(t, b, p) {
			j := &b.jobs[i]
			var all []sim.Time
			for s := j.Submit; s <= j.Submit+5*hour; s = s - s%hour + hour {
				all = append(all, s)
			}
			want, best := all[0], math.Inf(1)
			for _, s := range all {
				c := b.prices[s/hour%24]
				switch name {
				case "window":
					c = b.price(s, s+j.Work)
				case "quantile":
					next := []float64{}
					for u := s; u < s+24*hour; u = u - u%hour + hour {
						next = append(next, b.prices[u/hour%24])
					}
					slices.Sort(next)
					if c > next[int(0.3*float64(len(next)-1))] {
						c = math.Inf(1)
					} else {
						c = 0
					}
				}
				if c < best-1e-6 {
					want, best = s, c
				}
			}
			if name == "quantile" && math.IsInf(best, 1) {
				want = j.Submit + 5*hour
			}
			if len(got) != 1 || got[0].start != want {
				t.Errorf("%s: job %d ran %v, expected a start at %v", name, i, got, want)
			}
		}
	}
}

// With pauses and room for all, a job that comes at a slot's beginning runs in its cheapest slots, the
// interrupting strategy.
func TestCheapestSlots(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	b := drawnBench(r, 30, 60)
	for k := range b.jobs {
		j := &b.jobs[k]
		j.GPUs, j.Submit, j.Work = 1, j.Submit/hour*hour, (1+j.Work/(2*hour))*hour
	}
	p := simtest.Build(t, "ce-dla-like", New, "by=carbon,slack_h=5,preempt=true,sleep=false")()
	pauses := 0
	for i, got := range starts(t, b, p) {
		j := &b.jobs[i]
		sum, prices := 0.0, []float64{}
		for _, x := range got {
			sum += b.price(x.start, x.end)
		}
		pauses += len(got) - 1
		for s := j.Submit; s < j.Submit+j.Work+5*hour; s += hour {
			prices = append(prices, b.prices[s/hour%24])
		}
		slices.Sort(prices)
		want := 0.0
		for _, c := range prices[:j.Work/hour] {
			want += c * float64(hour)
		}
		if math.Abs(sum-want) > 1e-9*want {
			t.Errorf("job %d of %v from %v ran %v for %v, expected %v", i, j.Work, j.Submit, got, sum/float64(hour),
				want/float64(hour))
		}
	}
	if pauses == 0 {
		t.Error("no job paused")
	}
}
