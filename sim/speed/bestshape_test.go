package speed_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/catalogue/speeds"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
	"tarry/sim/preset"
	"tarry/sim/speed"
	"tarry/sim/stack"
)

// subsets calls visit for all allocations of n GPUs.
func subsets(gpus, n int, visit func([]cluster.GPU)) {
	var pick func(from int, chosen []cluster.GPU)
	pick = func(from int, chosen []cluster.GPU) {
		if len(chosen) == n {
			visit(chosen)
			return
		}
		for g := from; g < gpus; g++ {
			pick(g+1, append(chosen[:len(chosen):len(chosen)], cluster.GPU(g)))
		}
	}
	pick(0, nil)
}

// made makes a speed model of the catalogue on a small cluster.
func made(t testing.TB, spec cluster.Spec, name string) (sim.SpeedModel, *cluster.Topology) {
	t.Helper()
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	m, err := speeds.All().Parse(name, speed.Env{Topology: top, Fabric: preset.NVLinkFabric(),
		Models: models.NewSet(models.Catalogue()...), Types: speed.Types{"old": 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	return m, top
}

// No allocation of any GPUs is faster than the best shape, on even and uneven clusters and with two
// types of GPU; and some are slower.
func TestBestShapeIsTheFastest(t *testing.T) {
	uneven := cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 1}, {Count: 1, GPUs: 3}},
		{{Count: 1, GPUs: 4, Slots: 2}}, {{Count: 2, GPUs: 1}}}}
	typed := cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 4, Type: "old"},
		{Count: 1, GPUs: 2, Type: "new"}}, {{Count: 2, GPUs: 2, Type: "new"}}}}
	slower := 0
	for at, spec := range map[string]cluster.Spec{"even": cluster.Uniform(2, 2, 2, 1),
		"slots": cluster.Uniform(1, 2, 4, 2), "uneven": uneven, "typed": typed} {
		for _, name := range []string{"counting", "tiers", "collective", "contended"} {
			inner, top := made(t, spec, name)
			for i, model := range []string{"vgg16", "resnet50", "bert-large"} {
				for _, typ := range []string{"", "new"} {
					if typ != "" && at != "typed" {
						continue
					}
					best := speed.NewBestShape(inner, top)
					for n := 1; n <= 6; n++ {
						q := &sim.Query{Job: &sim.Job{ID: "j", Model: model, GPUType: typ}, ID: sim.JobID(i),
							Knobs: sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1}}
						subsets(top.GPUs(), n, func(gpus []cluster.GPU) {
							for _, g := range gpus {
								if typ != "" && top.Type(top.Machine(g)) != typ {
									return
								}
							}
							q.GPUs = gpus
							got, err := inner.Speed(q)
							bound, err2 := best.Speed(q)
							if err != nil || err2 != nil {
								t.Fatal(err, err2)
							}
							if got.Rate > bound.Rate*(1+1e-12) {
								t.Errorf("%s, %s, %s of type %q: %v runs at %v, the best shape at %v", at, name, model,
									typ, gpus, got.Rate, bound.Rate)
							}
							if got.Rate < bound.Rate {
								slower++
							}
						})
					}
				}
			}
		}
	}
	if slower == 0 {
		t.Error("no allocation is slower than the best shape: the case is too easy")
	}
}

// With the order of arrival, no choice of GPUs and no wait for them makes any job end earlier than
// first come, first served at the speed of the best shape: all choices of all jobs are tried.
func TestBestShapeBoundsEveryPlacement(t *testing.T) {
	inner, top := made(t, cluster.Uniform(2, 1, 2, 1), "tiers")
	later := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 7))
		var js []sim.Job
		for i := range 5 {
			js = append(js, sim.Job{ID: fmt.Sprint(i), GPUs: 1 + int32(r.IntN(3)), Submit: sim.Time(r.IntN(12)) *
				sim.Second, Work: sim.Time(1+r.IntN(40)) * sim.Second, Model: "vgg16"})
		}
		w, err := sim.NewWorkload("small", js)
		if err != nil {
			t.Fatal(err)
		}
		earliest := make([]float64, len(w.Jobs))
		for i := range earliest {
			earliest[i] = math.Inf(1)
		}
		everyPlacement(t, inner, top, w, make([]float64, top.GPUs()), make([]float64, len(w.Jobs)), 0, 0, earliest)
		e, plain := firstCome(t, w, top, speed.NewBestShape(inner, top)), firstCome(t, w, top, inner)
		for i := range w.Jobs {
			end := e.Record(sim.JobID(i)).End.Seconds()
			if end > earliest[i]+1e-4 {
				t.Errorf("seed %d: job %d ends at %v with its best shape, at %v with some placement", seed, i, end,
					earliest[i])
			}
			if end < plain.Record(sim.JobID(i)).End.Seconds()-1e-3 {
				later++
			}
		}
	}
	if later < 5 {
		t.Errorf("only %d jobs end later without the bound: the cases are too easy", later)
	}
}

// firstCome runs first come, first served.
func firstCome(t *testing.T, w *sim.Workload, top *cluster.Topology, m sim.SpeedModel) *sim.Engine {
	t.Helper()
	_, build, err := shipped.All().Policies.Parse("fifo", cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	p, err := build()
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: m}, p)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// everyPlacement tries every allocation of job i and of those after it, each from the first instant
// at which its GPUs are free and no earlier job starts later, and keeps the earliest end of each
// job.
func everyPlacement(t *testing.T, m sim.SpeedModel, top *cluster.Topology, w *sim.Workload, free, ends []float64,
	i int, last float64, earliest []float64) {
	if i == len(w.Jobs) {
		for k, end := range ends {
			earliest[k] = math.Min(earliest[k], end)
		}
		return
	}
	j := &w.Jobs[i]
	subsets(top.GPUs(), int(j.GPUs), func(gpus []cluster.GPU) {
		s, err := m.Speed(&sim.Query{Job: j, ID: sim.JobID(i), GPUs: gpus,
			Knobs: sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1}})
		if err != nil {
			t.Fatal(err)
		}
		at := math.Max(last, j.Submit.Seconds())
		for _, g := range gpus {
			at = math.Max(at, free[g])
		}
		next := append([]float64(nil), free...)
		ends[i] = at + j.Work.Seconds()/s.Rate
		for _, g := range gpus {
			next[g] = ends[i]
		}
		everyPlacement(t, m, top, w, next, ends, i+1, at, earliest)
	})
}

// uneven is a layer of GPUs with factors from 1.2 down to 0.9, which halves speeds in place of
// them; half halves them alone.
type uneven struct{ half }

func (uneven) Class(string) int      { return 0 }
func (uneven) Factors(int) []float64 { return []float64{0.9, 1.2, 1, 1.1} }

type half struct{}

func (half) Answer(_ *sim.Query, s *sim.Speed) float64 {
	s.Rate /= 2
	return 0.5
}

// Where GPUs differ a job's best is the pace of the slowest of the fastest that it can have, once,
// whatever layers are beside.
func TestBestShapeOfUnevenGPUs(t *testing.T) {
	topo, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2, Type: "a"},
		{Count: 1, GPUs: 2, Type: "b"}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, stacked := range []struct {
		layers []stack.Layer
		part   float64
	}{{[]stack.Layer{uneven{}}, 1}, {[]stack.Layer{uneven{}, half{}}, 0.5}, {[]stack.Layer{half{}, uneven{}}, 0.5}} {
		b := speed.NewBestShape(stack.New(speed.NewCounting(topo, nil), stacked.layers...), topo)
		for i, c := range []struct {
			typ  string
			gpus int
			want float64
		}{{"", 1, 1.2}, {"", 3, 3}, {"a", 2, 1.8}, {"b", 1, 1.1}} {
			q := &sim.Query{Job: &sim.Job{ID: "j", GPUType: c.typ}, ID: sim.JobID(i),
				GPUs:  []cluster.GPU{0, 1, 2, 3}[:c.gpus],
				Knobs: sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1}}
			if s, err := b.Speed(q); err != nil || s.Rate != c.want*stacked.part {
				t.Errorf("%d GPUs of type %q: %+v, %v, expected rate %v", c.gpus, c.typ, s, err, c.want*stacked.part)
			}
		}
	}
}
