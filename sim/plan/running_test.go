package plan_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
	"tarry/sim/simtest"
)

// moving are keys that rise and fall while jobs run, each at a rate of its own, in steps of a second
// where it is stepped, and with a jump at a watched counter.
type moving struct {
	base, rate []float64
	stepped    []bool
	jump       []bool
}

func drawMoving(r *rand.Rand, keys []float64) *moving {
	m := &moving{}
	for _, k := range keys {
		m.base, m.rate = append(m.base, k*1e6), append(m.rate, float64(r.IntN(5)-2))
		m.stepped, m.jump = append(m.stepped, r.IntN(2) == 0), append(m.jump, false)
	}
	return m
}

func (m *moving) key(v *sim.View, j sim.JobID) float64 {
	ran := v.Run(j).Time()
	if m.stepped[j] {
		ran -= ran % sim.Second
	}
	k := m.base[j] + float64(m.rate[j]*float64(ran))
	if m.jump[j] {
		k += 2e6
	}
	return k
}

// bound bounds such a key for three seconds, or for less the more often that was too wide.
func (m *moving) bound(v *sim.View, j sim.JobID, key float64, tight uint8) (most float64, slope int32, until sim.Time) {
	ahead := 3 * sim.Second >> tight
	switch {
	case m.rate[j] <= 0:
		return key, 0, sim.Never
	case !m.stepped[j]:
		return key, int32(m.rate[j]), sim.Never
	}
	return key + float64(m.rate[j]*float64(ahead+sim.Second)), 0, v.Now() + max(1, ahead)
}

// With bounds of keys the same jobs are stopped and started, in the same order, as by a look at the
// key of every running job, by number and with rules of places.
func TestBoundsDecideAsTheWalk(t *testing.T) {
	stops := 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 43))
		cfg, keys := draw(t, r)
		m := drawMoving(r, keys)
		put := []plan.Put{nil, onWhole, nil, onOneMachine}[seed%4]
		p, q, b := plan.NewPlacer(cluster.BestFit), &plan.Queue{}, &plan.Rebuild{Key: m.key, Bound: m.bound, Put: put}
		walkPlacer, walkQueue, walk := plan.NewPlacer(cluster.BestFit), &plan.Queue{}, &plan.Rebuild{Key: m.key, Put: put}
		c := chooser(func(v *sim.View, out []sim.Decision) []sim.Decision {
			for _, ev := range v.Events() {
				if ev.Kind == sim.Cross {
					m.jump[ev.Job] = true
				}
			}
			q.Follow(v, m.key, nil)
			walkQueue.Follow(v, m.key, nil)
			if r.IntN(5) == 0 { // a policy that is resumed continues with a copy
				x := b.Clone()
				b = &x
			}
			preempt := r.IntN(4) > 0
			var want []sim.Decision
			for _, d := range walk.Decide(v, walkQueue, walkPlacer, preempt, nil) {
				d.GPUs = slices.Clone(d.GPUs)
				want = append(want, d)
			}
			out = b.Decide(v, q, p, preempt, out)
			if !slices.EqualFunc(out, want, func(a, b sim.Decision) bool {
				return a.Kind == b.Kind && a.Job == b.Job && slices.Equal(a.GPUs, b.GPUs)
			}) {
				t.Fatalf("seed %d at %v: %v, expected %v", seed, v.Now(), out, want)
			}
			for _, d := range slices.Clone(out) {
				switch d.Kind {
				case sim.Preempt:
					stops++
				case sim.Start:
					out = append(out, sim.Decision{Kind: sim.Watch, Job: d.Job, Counter: sim.Service,
						Bound: v.Run(d.Job).Service() + 2*sim.Second})
				}
			}
			if v.Waiting()+v.Draining() > 0 && len(v.Running()) > 0 { // keys move between events, too
				out = append(out, sim.Decision{Kind: sim.WakeAt, At: v.Now() + sim.Second/2})
			}
			return out
		})
		if _, err := sim.Run(t.Context(), cfg, c); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if stops < 1000 {
		t.Errorf("%d preemptions: the cases are too easy", stops)
	}
}

// A decision with bounds asks for the keys of few of the jobs that run, however many there are.
func TestBoundsAskForFewKeys(t *testing.T) {
	const n = 4000
	top, err := cluster.New(cluster.Uniform(1, n/8, 8, 1))
	if err != nil {
		t.Fatal(err)
	}
	js := make([]sim.Job, 2*n)
	for i := range js {
		js[i] = sim.Job{ID: fmt.Sprint(i), GPUs: 1, Work: sim.Time(1000+i*7919%9973) * sim.Second,
			Submit: sim.Time(i) * sim.Second / 100}
	}
	w, err := sim.NewWorkload("many", js)
	if err != nil {
		t.Fatal(err)
	}
	for name, falls := range map[string]float64{"falling": 1, "all alike": 0} {
		asked, instants := 0, 0
		key := func(v *sim.View, j sim.JobID) float64 {
			asked++
			return falls * (float64(js[j].Work) - float64(v.Run(j).Time()))
		}
		p, q, b := plan.NewPlacer(cluster.BestFit), &plan.Queue{}, &plan.Rebuild{Key: key, Falls: true}
		c := chooser(func(v *sim.View, out []sim.Decision) []sim.Decision {
			instants++
			q.Follow(v, key, nil)
			return b.Decide(v, q, p, true, out)
		})
		if _, err := sim.Run(t.Context(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}},
			c); err != nil {
			t.Fatal(err)
		}
		if asked > 20*instants {
			t.Errorf("%s: %d keys at %d instants with %d running jobs, expected at most 20 each", name, asked, instants, n)
		}
	}
}
