package plan_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/outage"
	"tarry/sim/plan"
)

// listed is a job in the twin of a Queue: a list that is searched from end to end.
type listed struct {
	job         sim.JobID
	gpus        int32
	key, weight float64
}

// list is the twin.
type list struct {
	in     []listed
	closed map[int32]bool // demands passed over
}

// best is the first open job whose weight is within the bound of their demand.
func (l *list) best(bound func(gpus int32) float64) sim.JobID {
	open := slices.DeleteFunc(slices.Clone(l.in), func(x listed) bool {
		return l.closed[x.gpus] ||
			!(x.weight <= bound(x.gpus))
	})
	if len(open) == 0 {
		return sim.NoJob
	}
	return slices.MinFunc(open, func(a, b listed) int {
		return cmp.Or(cmp.Compare(a.key, b.key),
			cmp.Compare(a.job, b.job))
	}).job
}

func (l *list) index(j sim.JobID) int {
	return slices.IndexFunc(l.in, func(x listed) bool { return x.job == j })
}

// A queue is its twin, whatever is added, removed, ranked anew, closed and opened; so is a copy, whatever
// becomes of the original.
func TestQueueIsAList(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 11))
		jobs := make([]sim.Job, 20)
		for i := range jobs {
			jobs[i].GPUs = int32(1 + r.IntN(4))
		}
		v := set(t, sim.Config{}, cluster.Uniform(1, 1, 8, 1), jobs...).v
		q, twin := plan.Queue{}, list{closed: map[int32]bool{}}
		q.Open()
		for range 400 {
			j := sim.JobID(r.IntN(len(jobs)))
			switch k := twin.index(j); {
			case r.IntN(30) == 0:
				c := q.Clone()
				for range 5 { // what happens to the original is not the copy's affair
					if x := q.Best(); x != sim.NoJob {
						q.Remove(x)
					}
				}
				q = c
			case r.IntN(12) == 0:
				keys := make([]float64, len(jobs))
				for i := range keys {
					keys[i] = float64(r.IntN(6))
				}
				q.Rekey(func(j sim.JobID) float64 { return keys[j] })
				for i := range twin.in {
					twin.in[i].key = keys[twin.in[i].job]
				}
			case r.IntN(12) == 0:
				q.Open()
				twin.closed = map[int32]bool{}
			case k >= 0 && r.IntN(8) == 0:
				q.Close(j)
				twin.closed[v.Job(j).Public().GPUs] = true
			case k >= 0:
				q.Remove(j)
				twin.in = slices.Delete(twin.in, k, k+1)
			default:
				x := listed{j, v.Job(j).Public().GPUs, float64(r.IntN(6)), float64(r.IntN(9))}
				q.Add(v, j, x.key, x.weight)
				twin.in = append(twin.in, x)
			}
			limit := [5]float64{0, float64(r.IntN(9)), math.Inf(1), float64(r.IntN(9)), math.Inf(-1)}
			all := func(int32) float64 { return math.Inf(1) }
			if got, want := q.Best(), twin.best(all); got != want {
				t.Fatalf("seed %d: best is %d, expected %d", seed, got, want)
			}
			if r.IntN(4) > 0 { // what follows makes trees of the chains
				continue
			}
			if got, want := q.Within(func(d *plan.Demand) float64 { return limit[d.GPUs] }),
				twin.best(func(g int32) float64 { return limit[g] }); got != want {
				t.Fatalf("seed %d: best within %v is %d, expected %d", seed, limit, got, want)
			}
			compareQueue(t, &q, &twin)
		}
	}
}

// compareQueue compares what else can be seen of a queue.
func compareQueue(t *testing.T, q *plan.Queue, twin *list) {
	t.Helper()
	least, want := map[int32]float64{}, map[int32]float64{}
	q.Each(func(d *plan.Demand, w float64) { least[d.GPUs] = w })
	for _, x := range twin.in {
		if w, ok := want[x.gpus]; !ok || x.weight < w {
			want[x.gpus] = x.weight
		}
		if !q.Has(x.job) || q.Key(x.job) != x.key || q.Weight(x.job) != x.weight || q.Demand(x.job).GPUs != x.gpus ||
			q.Demand(x.job).ShareMilli != 1000 {
			t.Fatalf("job %d: in %v, key %v, weight %v, demand %+v, expected %+v", x.job, q.Has(x.job), q.Key(x.job),
				q.Weight(x.job), *q.Demand(x.job), x)
		}
	}
	if q.Len() != len(twin.in) || !maps.Equal(least, want) {
		t.Fatalf("%d jobs, least weights %v, expected %d, %v", q.Len(), least, len(twin.in), want)
	}
}

// Follow adds who began to wait at this instant, once: arrivals, drained jobs, jobs that a fault
// stopped; not the unit that failed, and no job that was added by other means.
func TestFollow(t *testing.T) {
	cfg := sim.Config{Costs: sim.Costs{Checkpoint: sim.Cost{FixedS: 3}},
		Outages: outage.Schedule{{At: 6 * sim.Second, Machine: 0, GPU: 1}}.Source()}
	s := set(t, cfg, cluster.Uniform(1, 1, 3, 1), sim.Job{GPUs: 1}, sim.Job{GPUs: 1},
		sim.Job{GPUs: 1, Submit: 2 * sim.Second})
	var q plan.Queue
	got := []string{}
	follow := func() {
		q.Follow(s.v, func(_ *sim.View, j sim.JobID) float64 { return 1 - float64(j) },
			func(_ *sim.View, j sim.JobID) float64 { return float64(10 * j) })
		in := ""
		for j := range sim.JobID(3) {
			if q.Has(j) {
				in += fmt.Sprintf(" %d (%v, %v)", j, q.Key(j), q.Weight(j))
			}
		}
		got = append(got, fmt.Sprintf("%v:%s", s.v.Now(), in))
	}
	follow()
	q.Remove(0)
	q.Remove(1)
	s.do(start(0, 0), start(1, 1))                // to 1 s
	s.do(sim.Decision{Kind: sim.Preempt, Job: 0}) // to 2 s, where job 2 arrives
	follow()
	follow() // nothing new
	for s.v.Now() < 4*sim.Second {
		s.do() // to 4 s, where the checkpoint is written
	}
	follow()
	for s.v.Now() < 6*sim.Second {
		s.do() // to 6 s, where job 1 is struck
	}
	follow()
	want := []string{"0s: 0 (1, 0) 1 (0, 10)", "2s: 2 (-1, 20)", "2s: 2 (-1, 20)", "4s: 0 (1, 0) 2 (-1, 20)",
		"6s: 0 (1, 0) 1 (0, 10) 2 (-1, 20)"}
	if !slices.Equal(got, want) || q.Best() != 2 || q.Len() != 3 {
		t.Errorf("got %q\nwant %q; best %d of %d", got, want, q.Best(), q.Len())
	}
}
