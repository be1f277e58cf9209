package gavel

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"tarry/baselines/gavel/gaveltest"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/interference"
	"tarry/sim/stack"
)

// sized gives every GPU of a case so much memory.
func sized(t *testing.T, cfg sim.Config, machines int, mib int64) sim.Config {
	t.Helper()
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: machines, GPUs: 1, Slots: 1,
		Type: "fast", GPUMiB: mib}}}})
	if err != nil {
		t.Fatal(err)
	}
	cfg.Topology = top
	return cfg
}

// TestPairsNeedMemory: two jobs of 6 GiB that do more together than alone share a GPU of 12 GiB,
// and not one of 10.
func TestPairsNeedMemory(t *testing.T) {
	// by turns: 0 ends its 6 steps at 3 s, 1 its 16 at 11 s
	for mib, want := range map[int64][2]float64{12288: {4, 9}, 10240: {3, 11}} {
		cfg := gaveltest.Duo(t, 1, 0, sim.Job{Iterations: 6, Model: "a", GPUMiB: 6144},
			sim.Job{Iterations: 16, Model: "b", GPUMiB: 6144})
		cfg = sized(t, cfg, 1, mib)
		cfg.Speed = pals{gaveltest.Pace{Top: cfg.Topology, Rate: map[string]float64{"fast": 2}}}
		if jct, _ := play(t, cfg, "packing=true,round_s=10,recompute_s=0"); jct["0"] != want[0] || jct["1"] != want[1] {
			t.Errorf("%d MiB: %v, expected %v", mib, jct, want)
		}
	}
}

// measuredPairs writes measured pairs: a beside b and c beside d keep nearly all, others too
// little.
func measuredPairs(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "pairs.csv")
	text := "model_a,model_b,gpus,keep_a,keep_b\na,b,1,0.95,0.95\nc,d,1,0.95,0.95\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPairsFollowTheLaw: under every law of interference the pairs that run are of jobs which, as
// the law states, do more than one alone, memory never runs out, and jobs that do not are never
// paired.
func TestPairsFollowTheLaw(t *testing.T) {
	for _, spec := range []string{"nway:a=0.2", "mps", "mps:bandwidth=0.4", "pairs:" + measuredPairs(t) +
		",default=0.45"} {
		t.Run(spec, func(t *testing.T) {
			rule, err := interference.Parse(spec, nil)
			if err != nil {
				t.Fatal(err)
			}
			formed := 0
			for seed := range uint64(12) {
				r := rand.New(rand.NewPCG(seed, 1831))
				var jobs []sim.Job
				at := sim.Time(0)
				for range 24 {
					at += sim.Time(r.IntN(20)) * sim.Second
					jobs = append(jobs, sim.Job{Submit: at, GPUs: 1, Iterations: int64(50 + r.IntN(400)),
						Model: string(rune('a' + r.IntN(4))), GPUMiB: int32(2 + r.IntN(12)),
						GPUUtilFrac: []float64{0.3, 0.95}[r.IntN(2)]})
				}
				cfg := sized(t, gaveltest.Duo(t, 4, 0, jobs...), 4, 16)
				within := gaveltest.Pace{Top: cfg.Topology, Rate: map[string]float64{"fast": 2}}
				cfg.Speed, cfg.Check = stack.New(within, interference.NewLayer(rule, nil, nil)), true
				w := witness{policy(t, "policy=throughput,packing=true,round_s=20,recompute_s=0")(), t,
					map[[2]sim.JobID]bool{}}
				e, err := sim.Run(context.Background(), cfg, w)
				if err != nil {
					t.Fatal(err)
				}
				for j := range cfg.Workload.Jobs {
					if x := e.Record(sim.JobID(j)); x.OutOfMemory > 0 || x.State != sim.Done {
						t.Errorf("seed %d: job %d is %v, %d times out of memory", seed, j, x.State, x.OutOfMemory)
					}
				}
				law := stack.New(within, interference.NewLayer(rule, nil, nil))
				for pair := range w.pairs {
					a, b := &cfg.Workload.Jobs[pair[0]], &cfg.Workload.Jobs[pair[1]]
					if sum := beside(t, law, a, b) + beside(t, law, b, a); sum <= 1 || a.GPUMiB+b.GPUMiB > 16 {
						t.Errorf("seed %d: %s (%v, %d MiB) beside %s (%v, %d MiB) do %v of one", seed, a.Model,
							a.GPUUtilFrac, a.GPUMiB, b.Model, b.GPUUtilFrac, b.GPUMiB, sum)
					}
					formed++
				}
			}
			if formed < 30 {
				t.Errorf("%d pairs: too few to tell", formed)
			}
		})
	}
}

// beside is the part of its speed that a job keeps beside another.
func beside(t *testing.T, law sim.SpeedModel, a, b *sim.Job) float64 {
	gpus := []cluster.GPU{0}
	s, err := law.Speed(&sim.Query{Job: a, ID: 0, GPUs: gpus,
		Knobs: sim.Knobs{ShareMilli: half, FreqFrac: 1, Batch: 1, LinkWeight: 1, GPUMiB: a.GPUMiB},
		Peers: []sim.Peer{{Job: b, ID: 1, GPUs: gpus, Knobs: sim.Knobs{ShareMilli: half, FreqFrac: 1, Batch: 1,
			LinkWeight: 1, GPUMiB: b.GPUMiB}}}})
	if err != nil {
		t.Fatal(err)
	}
	return s.Rate / 2
}

// TestBestPairs: four jobs on two GPUs; of the three ways to pair them that with the largest sum of
// throughputs is taken.
func TestBestPairs(t *testing.T) {
	rule, err := interference.Parse(fmt.Sprintf("pairs:%s,default=0.6", measuredPairs(t)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, order := range []string{"abcd", "acbd", "dacb", "bdca"} {
		var jobs []sim.Job
		for _, m := range order {
			jobs = append(jobs, sim.Job{Iterations: 400, Model: string(m)})
		}
		cfg := gaveltest.Duo(t, 2, 0, jobs...)
		cfg.Speed = stack.New(cfg.Speed, interference.NewLayer(rule, nil, nil))
		w := witness{policy(t, "policy=throughput,packing=true,round_s=20,recompute_s=0")(), t, map[[2]sim.JobID]bool{}}
		if _, err := sim.Run(context.Background(), cfg, w); err != nil {
			t.Fatal(err)
		}
		for pair := range w.pairs {
			if x := order[pair[0]:pair[0]+1] + order[pair[1]:pair[1]+1]; x != "ab" && x != "ba" && x != "cd" &&
				x != "dc" {
				t.Errorf("%s: %s run together", order, x)
			}
		}
		if len(w.pairs) != 2 {
			t.Errorf("%s: %d pairs, expected 2", order, len(w.pairs))
		}
	}
}
