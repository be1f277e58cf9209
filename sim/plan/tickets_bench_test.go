package plan_test

import (
	"context"
	"fmt"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// free is a model in which a share is a ticket that costs nothing: jobs end when they would with a
// GPU each.
type free struct{}

func (free) Speed(q *sim.Query) (sim.Speed, error) {
	return sim.Speed{Rate: float64(len(q.GPUs)), ComputeFrac: 1}, nil
}

// settling gives each job of one GPU the next one, in turn, that has fewer than most jobs.
type settling struct {
	most, next int
	wait       []sim.JobID
	one        [1 << 10]cluster.GPU // memory of the decisions of an instant
}

func (p *settling) Knows() know.Set { return know.Nothing }

func (p *settling) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, ev := range v.Events() {
		if ev.Kind == sim.Arrive {
			p.wait = append(p.wait, ev.Job)
		}
	}
	if p.most > 1 {
		out = plan.RaiseShares(v, out)
	}
	gpus, started := v.Topology().GPUs(), 0
	for tries := 0; started < len(p.wait) && tries < gpus; tries++ {
		g := cluster.GPU(p.next)
		p.next = (p.next + 1) % gpus
		if v.Sharers(g) >= p.most {
			continue
		}
		on := p.one[started : started+1]
		on[0] = g
		if out = append(out, sim.Decision{Kind: sim.Start, Job: p.wait[started], GPUs: on}); p.most > 1 {
			out = plan.Join(v, out[:len(out)-1], p.wait[started], on)
		}
		started++
	}
	p.wait = append(p.wait[:0], p.wait[started:]...)
	return out
}

// BenchmarkShared runs 100 000 jobs of one GPU, at a load of 0.9, once on 512 GPUs of their own,
// then two and four to a GPU on 256 and 128: the jobs have the same lives. What is left is the
// price of sharing: tunes of the jobs there, and speeds that are asked for again.
func BenchmarkShared(b *testing.B) {
	const jobs = 100_000
	js := make([]sim.Job, jobs)
	for i := range js {
		run := sim.Time(600+i*7919%3000) * sim.Second
		js[i] = sim.Job{ID: fmt.Sprint(i), GPUs: 1, Work: run, Submit: sim.Time(i) * (2100 * sim.Second) / 460}
	}
	w, err := sim.NewWorkload("shared", js)
	if err != nil {
		b.Fatal(err)
	}
	for _, most := range []int{1, 2, 4} {
		top, err := cluster.New(cluster.Uniform(4, 16/most, 8, 1))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%d on %d GPUs", most, top.GPUs()), func(b *testing.B) {
			events := int64(0)
			for b.Loop() {
				e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: free{}},
					&settling{most: most})
				if err != nil {
					b.Fatal(err)
				}
				events += e.Events()
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
