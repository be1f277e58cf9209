package gavel

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
)

// suited is a speed model in which every type suits some models: by model and type, per GPU.
type suited struct{ top *cluster.Topology }

func (s suited) Speed(q *sim.Query) (sim.Speed, error) {
	rates := map[string]map[string]float64{
		"a": {"new": 4, "mid": 2, "old": 1}, "b": {"new": 1.5, "mid": 1.25, "old": 1},
		"c": {"new": 1, "mid": 1.5, "old": 0.5},
	}
	typ := s.top.Type(s.top.Machine(q.GPUs[0]))
	for _, g := range q.GPUs {
		if s.top.Type(s.top.Machine(g)) != typ {
			return sim.Speed{}, nil
		}
	}
	return sim.Speed{Rate: rates[q.Job.Model][typ] * float64(len(q.GPUs)), ComputeFrac: 1}, nil
}

// mixed is a cluster of three types of four machines of two GPUs each, listed in an order, and jobs
// that keep it busy.
func mixed(t *testing.T, seed uint64, types ...string) sim.Config {
	t.Helper()
	var rack []cluster.Machines
	for _, name := range types {
		rack = append(rack, cluster.Machines{Count: 4, GPUs: 2, Slots: 2, Type: name})
	}
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{rack}})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	jobs := make([]sim.Job, 150)
	at := 0.0
	for i := range jobs {
		at += r.ExpFloat64() * 40
		n := 200 + r.IntN(4000)
		jobs[i] = sim.Job{ID: string(rune('A'+i/26)) + string(rune('a'+i%26)), Model: string(rune('a' + r.IntN(3))),
			GPUs: []int32{1, 1, 1, 2, 4}[r.IntN(5)], IterS: 1,
			Iterations: int64(n), Work: sim.Time(n) * sim.Second, Submit: sim.Seconds(at)}
	}
	w, err := sim.NewWorkload("mixed", jobs)
	if err != nil {
		t.Fatal(err)
	}
	return sim.Config{Workload: w, Topology: top, Speed: suited{top}}
}

func mean(x map[string]float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// TestOrderOfTheCluster: the order in which a cluster lists its types changes no completion time,
// but with types=cluster.
func TestOrderOfTheCluster(t *testing.T) {
	for _, settings := range []string{"policy=max-min", "packing=true", "perf=false", "policy=ftf",
		"policy=ftf,perf=false", "policy=makespan", "policy=isolated", "policy=fifo", "types=shuffled",
		"perf=false,types=fastest"} {
		settings += ",round_s=60,recompute_s=120"
		for seed := range uint64(3) {
			want, _ := play(t, mixed(t, seed, "new", "mid", "old"), settings)
			for _, types := range [][]string{{"old", "mid", "new"}, {"mid", "old", "new"}, {"old", "new", "mid"}} {
				if got, _ := play(t, mixed(t, seed, types...), settings); !reflect.DeepEqual(got, want) {
					t.Errorf("%s, seed %d: a mean of %v s with %v, %v s with the fastest first", settings, seed,
						mean(got), types, mean(want))
				}
			}
		}
	}
	const as = "types=cluster,round_s=60,recompute_s=120"
	a, _ := play(t, mixed(t, 0, "new", "mid", "old"), as)
	b, _ := play(t, mixed(t, 0, "old", "mid", "new"), as)
	if reflect.DeepEqual(a, b) {
		t.Error("with types=cluster the order of the cluster changed nothing")
	}
}

// TestShufflesAreNoise: another seed of the shuffles is another run, with a mean near the first's;
// the same seed is the same run.
func TestShufflesAreNoise(t *testing.T) {
	const settings = "perf=false,round_s=60,recompute_s=120,seed="
	cfg := mixed(t, 1, "old", "new", "mid")
	one, _ := play(t, cfg, settings+"1")
	if again, _ := play(t, cfg, settings+"1"); !reflect.DeepEqual(one, again) {
		t.Error("the same seed gave two runs")
	}
	for _, seed := range []string{"2", "3", "4"} {
		other, _ := play(t, cfg, settings+seed)
		if reflect.DeepEqual(one, other) {
			t.Errorf("seeds 1 and %s gave the same run", seed)
		}
		if r := mean(other) / mean(one); math.Abs(r-1) > 0.1 {
			t.Errorf("seed %s: a mean %v times that of seed 1", seed, r)
		}
	}
}

// TestShufflesOfACopy: a copy draws what the original would have drawn, and neither moves the
// other.
func TestShufflesOfACopy(t *testing.T) {
	p := &Policy{}
	p.cfg.types = "shuffled"
	p.filling = newFilling([]int{0, 1, 2, 3}, &p.cfg)
	next := func(p *Policy) (out []int) {
		for range 20 {
			p.arrange()
			out = append(out, p.columns...)
		}
		return out
	}
	next(p)
	q := &Policy{Book: Book{cfg: p.cfg}, filling: p.filling.clone()}
	a, b := next(p), next(q)
	if !reflect.DeepEqual(a, b) || reflect.DeepEqual(a, next(p)) {
		t.Errorf("the copy drew %v, the original %v", b, a)
	}
}
