package tiresias

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/simtest/hand"
)

// twin is Discretized 2D-LAS written down as plainly as can be: it looks at every job at every
// event and asks for a timer at the earliest demotion or promotion instead of watching counters.
type twin struct {
	bounds []sim.Time
	knob   float64
	queue  map[sim.JobID]int
	from   map[sim.JobID][2]sim.Time // service and run time at the last promotion
}

func (w *twin) Knows() know.Set { return know.Nothing }

func (w *twin) attained(v *sim.View, j sim.JobID) sim.Time { return v.Run(j).Service() - w.from[j][0] }

// due is when a waiting job is promoted.
func (w *twin) due(v *sim.View, j sim.JobID, since sim.Time) sim.Time {
	if w.knob == 0 || w.queue[j] == 0 {
		return sim.Never
	}
	return since + sim.Time(math.Ceil(float64(w.knob*float64(v.Run(j).Time()-w.from[j][1]))))
}

func (w *twin) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	var all []sim.JobID
	for j := range sim.JobID(v.NumJobs()) {
		switch v.Run(j).State() {
		case sim.Waiting:
			if w.due(v, j, v.Run(j).Since()) <= v.Now() {
				w.queue[j] = 0
				w.from[j] = [2]sim.Time{v.Run(j).Service(), v.Run(j).Time()}
			}
		case sim.Running:
			for w.queue[j] < len(w.bounds) && w.attained(v, j) >= w.bounds[w.queue[j]] {
				w.queue[j]++
			}
		default:
			continue
		}
		all = append(all, j)
	}
	sort.SliceStable(all, func(a, b int) bool {
		x, y := all[a], all[b]
		if w.queue[x] != w.queue[y] {
			return w.queue[x] < w.queue[y]
		}
		return v.Run(x).Started() < v.Run(y).Started()
	})
	left, chosen := v.Usable(), map[sim.JobID]bool{}
	for _, j := range all {
		if v.Job(j).GPUs() <= left {
			left -= v.Job(j).GPUs()
			chosen[j] = true
		}
	}
	wake := sim.Never
	for _, j := range all {
		switch running := v.Run(j).State() == sim.Running; {
		case !chosen[j] && running:
			out = append(out, sim.Decision{Kind: sim.Preempt, Job: j})
			for _, g := range v.Run(j).Held() {
				v.Free().Release(g)
			}
			wake = min(wake, w.due(v, j, v.Now()))
		case !chosen[j]:
			wake = min(wake, w.due(v, j, v.Run(j).Since()))
		case w.queue[j] < len(w.bounds):
			g := sim.Time(v.Job(j).GPUs())
			wake = min(wake, v.Now()+(w.bounds[w.queue[j]]-w.attained(v, j)+g-1)/g)
		}
	}
	for _, j := range all {
		if chosen[j] && v.Run(j).State() == sim.Waiting {
			gpus, _ := v.Free().At(nil, v.Job(j).GPUs(), cluster.LevelCluster, cluster.FirstFound)
			for _, g := range gpus {
				v.Free().Take(g)
			}
			out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
		}
	}
	return append(out, sim.Decision{Kind: sim.WakeAt, At: wake})
}

func TestTwin(t *testing.T) {
	preempted := int32(0)
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 77))
		cfg := hand.Tiny(t, r)
		w := cfg.Workload
		knob := []float64{0, 0.5, 1.5}[r.IntN(3)]
		a, err := sim.Run(context.Background(), cfg, policy(t, New,
			fmt.Sprintf("queues=4/9.5,place=skew,promote=%v", knob))())
		if err != nil {
			t.Fatal(err)
		}
		b, err := sim.Run(context.Background(), cfg, &twin{bounds: []sim.Time{4 * sim.Second, sim.Seconds(9.5)},
			knob:  knob,
			queue: map[sim.JobID]int{}, from: map[sim.JobID][2]sim.Time{}})
		if err != nil {
			t.Fatal(err)
		}
		for id := range w.Jobs {
			x, y := a.Record(sim.JobID(id)), b.Record(sim.JobID(id))
			x.Level, y.Level, x.ByLevel, y.ByLevel = 0, 0, [5]int32{}, [5]int32{}
			if x != y {
				t.Fatalf("seed %d, promote %v, job %d of %+v:\n%+v\ntwin\n%+v", seed, knob, id, w.Jobs, x, y)
			}
			preempted += x.Preemptions
		}
	}
	if preempted < 100 {
		t.Errorf("only %d preemptions in all: the instances are too easy", preempted)
	}
}
