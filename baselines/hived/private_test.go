package hived

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/outage"
	"tarry/sim/simtest"
	"tarry/sim/tenant"
)

// plot is a drawn cluster with tenants and their jobs.
type plot struct {
	spec         cluster.Spec
	inRack, gpus int // of a rack, of a machine; uniform clusters only
	uniform      bool
	quotas       []tenant.Tenant
	jobs         []sim.Job
}

// drawPlot draws one. Tenants own all of the cluster, or less; one job in four is opportunistic;
// jobs ask for more CPU than their GPUs' part, in workers, or are larger than their tenant, now and
// then.
func drawPlot(r *rand.Rand) plot {
	p := plot{inRack: 1 + r.IntN(3), gpus: []int{1, 2, 3, 4, 8}[r.IntN(5)], uniform: r.IntN(3) > 0}
	racks := 1 + r.IntN(3)
	p.spec = cluster.Uniform(racks, p.inRack, p.gpus, 1)
	if p.gpus%4 == 0 && r.IntN(2) == 0 {
		p.spec = cluster.Uniform(racks, p.inRack, p.gpus, 2)
	}
	hosted := r.IntN(3) == 0
	all := racks * p.inRack * p.gpus
	for i := range p.spec.Racks {
		m := &p.spec.Racks[i][0]
		if hosted {
			m.CPUMilli, m.MemMiB = int64(m.GPUs)*1000, int64(m.GPUs)*512
		}
		if !p.uniform && r.IntN(2) == 0 {
			extra := cluster.Machines{Count: 1 + r.IntN(2), GPUs: 1 + r.IntN(4), Type: []string{"", "fast"}[r.IntN(2)]}
			p.spec.Racks[i] = append(p.spec.Racks[i], extra)
			all += extra.Count * extra.GPUs
		}
	}
	left := all
	for i := range 1 + r.IntN(4) {
		n := min(left, 1+r.IntN(all))
		if left -= n; n > 0 {
			p.quotas = append(p.quotas, tenant.Tenant{VC: string(rune('a' + i)), GPUs: n})
		}
	}
	unit := []sim.Time{sim.Second, sim.Second / 7}[r.IntN(2)]
	for i := range 10 + r.IntN(50) {
		j := sim.Job{ID: strconv.Itoa(i), VC: string(rune('a' + r.IntN(len(p.quotas)+1))),
			GPUs: int32(1 + r.IntN(min(all, 2*p.gpus))), Submit: sim.Time(r.IntN(60)) * unit}
		if r.IntN(6) == 0 {
			j.GPUs = int32(1 + r.IntN(all))
		}
		j.Work = sim.Time(j.GPUs) * sim.Time(1+r.IntN(20)) * unit
		if j.Priority = int32(r.IntN(4) - 1); r.IntN(2) == 0 {
			j.Priority = 0
		}
		if w := int32(1 + r.IntN(3)); r.IntN(4) == 0 && j.GPUs%w == 0 {
			j.WorkerGPUs = w
		}
		if hosted && r.IntN(3) == 0 {
			j.CPUMilli, j.MemMiB = int32(r.IntN(2000)), int32(r.IntN(700))
		}
		p.jobs = append(p.jobs, j)
	}
	return p
}

// run gives the records by name, and how many instants there were.
func (p *plot) run(t *testing.T, spec cluster.Spec, quotas []tenant.Tenant, jobs []sim.Job, text string,
	change func(*sim.Config)) (map[string]sim.Record, int) {
	t.Helper()
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	w, err := sim.NewWorkload("drawn", jobs)
	if err != nil {
		t.Fatal(err)
	}
	set, err := tenant.New(quotas)
	if err != nil {
		t.Fatal(err)
	}
	cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true, Tenants: set}
	if change != nil {
		change(&cfg)
	}
	var tape simtest.Tape
	e, err := sim.Run(context.Background(), cfg, policy(t, text)(), &tape)
	if err != nil {
		t.Fatalf("%s: %v\n%+v\n%+v\n%+v", text, err, spec, quotas, jobs)
	}
	out := map[string]sim.Record{}
	for i := range w.Jobs {
		out[w.Jobs[i].ID] = e.Record(sim.JobID(i))
	}
	return out, 2 * len(jobs)
}

// own is the smallest cluster of whole racks with a tenant's GPUs.
func (p *plot) own(gpus int) cluster.Spec {
	s := p.spec
	s.Racks = p.spec.Racks[:(gpus+p.inRack*p.gpus-1)/(p.inRack*p.gpus)]
	return s
}

// operations is how many arrivals and ends a random test goes through.
func operations(t *testing.T) int { return effort.Of(t, 100_000, 10_000_000) }

// never reports whether nothing could ever hold a job.
func never(r sim.Record) bool { return r.State == sim.Rejected || r.State == sim.Refused }

// TestPrivate: no guaranteed job starts or ends later than with its virtual cluster alone: in the
// same cluster without the others' jobs, and in the smallest cluster of whole racks that has the
// tenant's GPUs. Both are equal, since the virtual cells of a tenant go through the same states: a
// request is met in the shared cluster exactly when it is met in the private one
// (cells.TestPrivate), and then takes the same virtual cells. That needs
//
//   - run times that do not depend on the place, nor on what others do;
//   - victims whose GPUs are free at once (no checkpoint time), and a start without cost or one
//     that is the same for all;
//   - no faults: a bad machine belongs to a tenant;
//   - no lazy preemption where a tenant's jobs have several priorities: a downgraded job lives as
//     long as others let it;
//   - over=large or none, not the default waiting: a job that runs opportunistically while it waits
//     may be stopped when its cells are taken by a later one.
//
// Opportunistic jobs, and those larger than their tenant's cells, have no promise.
func TestPrivate(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 19))
	texts := []string{"over=large", "over=large,line=strict", "over=large,inside=las,queues=5/40",
		"over=large,inside=las,queues=20,line=strict", "over=none", "over=large,unit=rack"}
	var ops, compared, waited, stopped, loose int
	for round := 0; ops < operations(t); round++ {
		p := drawPlot(r)
		text := texts[round%len(texts)]
		none := strings.ReplaceAll(text, "over=large", "over=none")
		shared, n := p.run(t, p.spec, p.quotas, p.jobs, text, nil)
		ops += n
		for _, q := range p.quotas {
			jobs := slices.DeleteFunc(slices.Clone(p.jobs), func(j sim.Job) bool {
				return j.VC != q.VC ||
					j.Priority < 0
			})
			if len(jobs) == 0 {
				continue
			}
			// Jobs that its cells can never hold are rejected here, and have no promise.
			alone, n := p.run(t, p.spec, p.quotas, jobs, none, nil)
			ops += n
			private := alone
			if p.uniform && round%2 == 0 {
				private, n = p.run(t, p.own(q.GPUs), []tenant.Tenant{q}, jobs, none, nil)
				ops += n
			}
			for _, j := range jobs {
				a, b := shared[j.ID], private[j.ID]
				if never(alone[j.ID]) != never(b) {
					t.Fatalf("round %d: job %s is %v in its private cluster and %v alone", round, j.ID, b.State,
						alone[j.ID].State)
				}
				if never(b) {
					loose++
					continue
				}
				if a.Start != b.Start || a.End != b.End || a.Preemptions != b.Preemptions ||
					alone[j.ID].Start != b.Start {
					t.Fatalf("round %d, %q: job %s of %s runs from %v to %v, in its private cluster from %v to "+
						"%v\n%+v\n%+v\n%+v", round, text, j.ID, q.VC, a.Start, a.End, b.Start, b.End, p.spec, p.quotas,
						p.jobs)
				}
				compared++
				if a.Start > j.Submit {
					waited++
				}
			}
		}
		for _, j := range p.jobs {
			if j.Priority < 0 && shared[j.ID].Preemptions > 0 {
				stopped++
			}
		}
	}
	t.Logf("%d arrivals and ends; %d guaranteed jobs compared, %d of them waited, %d larger than their cells; %d "+
		"opportunistic jobs were stopped", ops, compared, waited, loose, stopped)
	if compared == 0 || waited == 0 || stopped == 0 || loose == 0 {
		t.Error("expected some of each")
	}
}

// TestWhole: with costs, faults and every setting, all jobs end and the kernel finds no fault;
// quotas that own nothing included.
func TestWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 20))
	texts := []string{"", "over=large,lazy=true", "over=large", "inside=las,queues=5/40,lazy=true",
		"inside=las,queues=9,over=waiting,line=strict", "unit=rack,over=waiting,lazy=true"}
	for round := range max(operations(t)/200, 1) {
		p := drawPlot(r)
		got, _ := p.run(t, p.spec, p.quotas, p.jobs, texts[round%len(texts)], func(c *sim.Config) {
			c.Outages = failing(r, c.Topology).Source()
			c.Costs = sim.Costs{Start: sim.Cost{FixedS: float64(r.IntN(2))},
				Checkpoint: sim.Cost{FixedS: float64(r.IntN(3))}, Restore: sim.Cost{FixedS: float64(r.IntN(2))},
				CheckpointEveryS: float64(r.IntN(3))}
		})
		for id, rec := range got {
			if rec.State != sim.Done && rec.State != sim.Rejected && rec.State != sim.Refused {
				t.Fatalf("round %d: job %s is %v in the end\n%s", round, id, rec.State, fmt.Sprint(p))
			}
		}
	}
}

// failing fails a GPU or a machine up to four times, one after the other, and repairs it.
func failing(r *rand.Rand, top *cluster.Topology) (s outage.Schedule) {
	at := 0.0
	for range r.IntN(5) {
		o := sim.Outage{Machine: int32(r.IntN(top.Machines())), GPU: -1}
		if r.IntN(2) == 0 {
			lo, hi := top.MachineGPUs(int(o.Machine))
			o.GPU = int32(r.IntN(int(hi - lo)))
		}
		at += float64(1 + r.IntN(40))
		o.At = sim.Seconds(at)
		s = append(s, o)
		at += float64(1 + r.IntN(40))
		o.At, o.Up = sim.Seconds(at), true
		s = append(s, o)
	}
	return s
}
