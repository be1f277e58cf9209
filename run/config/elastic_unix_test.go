//go:build unix

package config

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"tarry/catalogue/simulation"
	"tarry/run/trial"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// elastic is the smallest of elastic policies: jobs get their least number of GPUs by arrival, as
// many as fit, and what is left goes one worker at a time to the job that gains most by it (gain),
// or to the jobs that have least above their least number.
type elastic struct {
	gain    bool
	sizer   *plan.Sizer
	curves  plan.Curves
	greedy  greedy
	active  []sim.JobID // by arrival
	counts  []plan.Count
	ranges  []span // of counts
	changes int64  // decisions
}

// span is the most GPUs of a job, the size of its worker, and its speeds.
type span struct {
	most, worker int32
	speeds       []float64
}

func (p *elastic) Knows() know.Set { return know.Speed }

func (p *elastic) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	n := 0
	for _, j := range p.active {
		if v.Run(j).State() != sim.Done {
			p.active[n] = j
			n++
		}
	}
	p.active = p.active[:n]
	for _, ev := range v.Events() {
		if ev.Kind == sim.Arrive && v.Run(ev.Job).State() == sim.Waiting {
			p.active = append(p.active, ev.Job)
		}
	}
	p.counts, p.ranges = p.counts[:0], p.ranges[:0]
	left := int32(v.Usable())
	for _, j := range p.active {
		if lo, hi := v.Job(j).Range(); int32(lo) <= left {
			left -= int32(lo)
			p.counts = append(p.counts, plan.Count{Job: j, GPUs: int32(lo)})
			x := span{most: int32(hi), worker: int32(v.Job(j).WorkerGPUs())}
			if p.gain {
				x.speeds = p.curves.Of(v, j)
				x.most = min(x.most, int32(len(x.speeds)-1))
			}
			p.ranges = append(p.ranges, x)
		}
		if left == 0 {
			break
		}
	}
	p.greedy.give(left, len(p.counts), p.next, p.take)
	from := len(out)
	out = p.sizer.Decide(v, p.counts, out)
	p.changes += int64(len(out) - from)
	return out
}

func (p *elastic) take(i int, gpus int32) { p.counts[i].GPUs += gpus }

func (p *elastic) next(i int) (gpus int32, gain float64) {
	n, x := p.counts[i].GPUs, &p.ranges[i]
	switch {
	case n+x.worker > x.most:
		return 0, 0
	case !p.gain:
		return x.worker, 1 / float64(n)
	}
	return x.worker, (x.speeds[n+x.worker] - x.speeds[n]) / float64(x.worker)
}

// flexible gives jobs the range of one GPU to four times what they ask for, at most 64, and four
// times their run time to end.
func flexible(tb testing.TB, w *sim.Workload) *sim.Workload {
	tb.Helper()
	js := append([]sim.Job(nil), w.Jobs...)
	for i := range js {
		js[i].MinGPUs, js[i].MaxGPUs = 1, max(js[i].GPUs, min(4*js[i].GPUs, 64))
		js[i].Deadline = js[i].Submit + 4*js[i].RunTime()
	}
	out, err := sim.NewWorkload(w.Name+" flexible", js)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// elasticTrial is a policy of the catalogue on generated jobs, elastic or not, on 512 GPUs.
func elasticTrial(tb testing.TB, jobs int, speed, policy string, flex bool) trial.Trial {
	tb.Helper()
	c := Default()
	c.Trace, c.Cluster, c.Speed, c.Policies, c.History = fmt.Sprintf("synth:philly,gpus=512,load=0.9,jobs=%d", jobs),
		"8x8x8", speed, []string{policy}, "none"
	s, err := Build(c, simulation.All())
	if err != nil {
		tb.Fatal(err)
	}
	tr := s.Trials()[0]
	if flex {
		tr.Workload = flexible(tb, tr.Workload)
	}
	return tr
}

// elasticPolicies are policies of the catalogue that change numbers of GPUs.
func elasticPolicies() []string {
	return []string{"dally:shrink=most,yield=largest,grow=idle,grow_to=max", "heet-like", "voda",
		"voda:algorithm=ffdl-optimizer", "afs-l", "afs-p", "edl",
		"themis", "slaq", "elasticflow", "sia", "nonintrusive-like", "hadare-like", "gadget-like"}
}

// BenchmarkElastic runs 100 000 generated jobs on 512 GPUs, at nine tenths of what they can do:
// rigid ones under FIFO and Dally, then the same jobs with a range under elastic policies, the
// policies of this file and of the catalogue. It gives processor time per event, where an elastic
// policy may change every job, and per decision of the policies of this file:
//
//	go test -run '^$' -bench 'Elastic/' -benchtime 1x -timeout 2h ./run/config
//
// With -short there are 3 000 jobs. A run is stopped after 200 s, 15 with -short: stopped is 1
// then.
func BenchmarkElastic(b *testing.B) {
	jobs := 100_000
	if testing.Short() {
		jobs = 3_000
	}
	for _, speed := range []string{"counting", "collective", "contended"} {
		for _, name := range append([]string{"fifo", "dally", "elastic-even", "elastic-gain"}, elasticPolicies()...) {
			own := strings.HasPrefix(name, "elastic-")
			b.Run(name+"/"+speed, func(b *testing.B) {
				policy := name
				if own {
					policy = "fifo"
				}
				tr := elasticTrial(b, jobs, speed, policy, name != "fifo" && name != "dally")
				sum, events, changes, stopped := time.Duration(0), int64(0), int64(0), 0.0
				b.ReportAllocs()
				for b.Loop() {
					p := &elastic{gain: name == "elastic-gain", sizer: plan.NewSizer(cluster.BestFit)}
					if own {
						tr.Policy = func() (sim.Policy, error) { return p, nil }
					}
					took, e, ended := simulate(b, tr, mostTime())
					sum += took
					changes += p.changes
					if events += e.Events(); !ended {
						stopped = 1
					}
				}
				b.ReportMetric(float64(events)/sum.Seconds(), "events/s")
				b.ReportMetric(float64(sum.Nanoseconds())/float64(events), "cpu-ns/event")
				b.ReportMetric(float64(events)/float64(b.N), "events/op")
				if own {
					b.ReportMetric(float64(sum.Nanoseconds())/float64(changes), "cpu-ns/decision")
					b.ReportMetric(float64(changes)/float64(b.N), "decisions/op")
				}
				b.ReportMetric(stopped, "stopped")
			})
		}
	}
}

// counting counts instants, and the jobs in the system at them.
type counting struct {
	sim.Policy
	instants, active int64
}

func (c *counting) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	c.instants++
	c.active += int64(v.Waiting() + len(v.Running()))
	return c.Policy.Decide(v, out)
}

// burst lets jobs of at most four GPU-hours arrive a second apart, so that most of them are in the
// system together, each with a day to end.
func burst(tb testing.TB, w *sim.Workload) *sim.Workload {
	tb.Helper()
	js := append([]sim.Job(nil), w.Jobs...)
	for i := range js {
		js[i].Submit = sim.Time(i) * sim.Second
		js[i].Work = js[i].Work%(4*3600*sim.Second) + sim.Second
		js[i].Deadline = js[i].Submit + 24*3600*sim.Second
	}
	out, err := sim.NewWorkload("burst", js)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// BenchmarkElasticGrowth gives what an instant costs with n jobs in the system, and by which power
// of n it grows from 1 000 jobs to four times as many: above 1.2 is more than n log n.
func BenchmarkElasticGrowth(b *testing.B) {
	small := 1000
	if testing.Short() {
		small = 100
	}
	for _, policy := range append([]string{"fifo", "dally"}, elasticPolicies()...) {
		b.Run(policy, func(b *testing.B) {
			var cost, active [2]float64
			for b.Loop() {
				for k := range cost {
					tr := elasticTrial(b, small*(1+3*k), "counting", policy, true)
					tr.Workload = burst(b, tr.Workload)
					build, c := tr.Policy, &counting{}
					tr.Policy = func() (sim.Policy, error) {
						p, err := build()
						c.Policy = p
						return c, err
					}
					took, _, ended := simulate(b, tr, 200*time.Second)
					if !ended {
						b.Fatal("it did not end in 200 s")
					}
					cost[k], active[k] = float64(took.Nanoseconds())/float64(c.instants),
						float64(c.active)/float64(c.instants)
				}
			}
			b.ReportMetric(cost[0], "cpu-ns/instant")
			b.ReportMetric(cost[1], "cpu-ns/instant-x4")
			b.ReportMetric(active[1], "jobs-x4")
			b.ReportMetric(math.Log(cost[1]/cost[0])/math.Log(active[1]/active[0]), "power")
		})
	}
}
