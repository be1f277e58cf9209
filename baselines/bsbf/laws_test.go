package bsbf

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
)

// guard watches every decision: no job is ever stopped or moved, and none has a third beside it.
type guard struct {
	sim.Policy
	t      *testing.T
	joined int // jobs that were started with half of their GPUs
}

func (g *guard) Clone() sim.Policy { return g }

func (g *guard) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = g.Policy.Decide(v, out)
	on := map[cluster.GPU]int{}
	for _, j := range v.Running() {
		for _, x := range v.Run(j).Held() {
			on[x]++
		}
	}
	for _, d := range out {
		switch d.Kind {
		case sim.Start:
			if d.ShareMilli == half {
				g.joined++
			}
			for _, x := range d.GPUs {
				on[x]++
			}
		case sim.Tune:
		default:
			g.t.Fatalf("%v: %v of job %d", v.Now(), d.Kind, d.Job)
		}
	}
	for x, n := range on {
		if n > 2 {
			g.t.Fatalf("%v: %d jobs on GPU %d", v.Now(), n, x)
		}
	}
	return out
}

// crowd draws jobs on three machines of four GPUs. Their models are a to d; even is the run time of
// all, 0 = drawn.
func crowd(r *rand.Rand, even float64) []sim.Job {
	var jobs []sim.Job
	at := 0.0
	for range 60 {
		at += math.Round(r.ExpFloat64()*3e6) / 1e6
		run := even
		if even == 0 {
			run = math.Round(1e6*math.Exp(4*r.Float64())) / 1e6
		}
		jobs = append(jobs, job(at, int32(1+r.IntN(6)), run, string(rune('a'+r.IntN(4)))))
	}
	return jobs
}

// joined counts the jobs that a policy starts beside others.
func joined(t *testing.T, speed sim.SpeedModel, p sim.Policy, jobs []sim.Job) int {
	g := &guard{Policy: p, t: t}
	run(t, setting(t, speed, [3]int{1, 3, 4}, slices.Clone(jobs)...), g)
	return g.joined
}

// On drawn crowds no job is preempted and two are on a GPU at most. Where no job is slowed, both
// policies share alike often; where all are slowed to half and equally long, sjf-bsbf never does,
// for C is more than S for a job that is not much shorter than what the resident has left; sjf-ffs
// does whatever it costs.
func TestLaws(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1812))
		drawn, even := crowd(r, 0), crowd(r, 20)
		for _, place := range []string{"consolidate", "jobs"} {
			t.Run(fmt.Sprintf("seed %d, %s", seed, place), func(t *testing.T) {
				bsbf, ffs := maker(t, New, "place="+place), maker(t, NewFFS, "place="+place)
				if n := joined(t, always(0.8), bsbf(), drawn); n == 0 {
					t.Error("nobody shares at 0.8")
				}
				if n := joined(t, always(0.5), bsbf(), even); n > 0 {
					t.Errorf("%d jobs share at 0.5", n)
				}
				if n := joined(t, always(0.5), ffs(), even); n == 0 {
					t.Error("sjf-ffs shares with nobody at 0.5")
				}
			})
		}
	}
}

// Where company costs nothing the pair test always passes: a job waits only where fewer GPUs than
// it needs have at most one resident.
func TestFreeCompanyIsAlwaysTaken(t *testing.T) {
	waited := 0
	for seed := range uint64(30) {
		jobs := crowd(rand.New(rand.NewPCG(seed, 1813)), 0)
		w := &eager{guard: guard{Policy: maker(t, New, "place=jobs")(), t: t}}
		run(t, setting(t, always(1), [3]int{1, 3, 4}, jobs...), w)
		if waited += w.waited; w.joined == 0 {
			t.Errorf("seed %d: nobody shares", seed)
		}
	}
	if waited < 100 {
		t.Errorf("a job waits %d times: too few to tell", waited)
	}
}

type eager struct {
	guard
	waited int
}

func (w *eager) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = w.guard.Decide(v, out)
	on := make([]int, v.Topology().GPUs())
	for _, j := range v.Running() {
		for _, x := range v.Run(j).Held() {
			on[x]++
		}
	}
	starts := map[sim.JobID]bool{}
	for _, d := range out {
		if d.Kind == sim.Start {
			starts[d.Job] = true
			for _, x := range d.GPUs {
				on[x]++
			}
		}
	}
	room := len(on)
	for _, n := range on {
		if n > 1 {
			room--
		}
	}
	for j := range sim.JobID(v.NumJobs()) {
		if v.Run(j).State() == sim.Waiting && !starts[j] {
			w.waited++
			if v.Job(j).GPUs() <= room {
				w.t.Fatalf("%v: job %d of %d GPUs waits, and %d have at most one resident", v.Now(), j, v.Job(j).GPUs(), room)
			}
		}
	}
	return out
}
