package sleep

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/power"
	"tarry/sim/simtest"
)

// crowd draws jobs over some hours.
func crowd(seed uint64, n int) (*sim.Workload, error) {
	r := rand.New(rand.NewPCG(seed, 0xce5))
	js := make([]sim.Job, n)
	at := 0.0
	for i := range js {
		at += r.ExpFloat64() * 300 * (1 + math.Sin(at/4000))
		g := int32(1) << r.IntN(5)
		js[i] = sim.Job{ID: fmt.Sprint(i), GPUs: g, Submit: sim.Seconds(at), Work: sim.Time(g) *
			sim.Seconds(1+r.ExpFloat64()*2000)}
	}
	return sim.NewWorkload("crowd", js)
}

// play runs a policy on 8 machines of 4 GPUs and gives what observers saw.
func play(t *testing.T, w *sim.Workload, p sim.Policy, obs ...sim.Observer) []string {
	t.Helper()
	top, err := cluster.New(cluster.Uniform(2, 4, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	spec := power.Spec{IdleW: 800, BootW: 900, BootS: 120, CycleJ: 1e5}
	model := &power.Model{Specs: []power.Spec{spec}, Of: make([]int32, 8)}
	var tape simtest.Tape
	if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
		Power: model, Check: true}, p, append(obs, &tape)...); err != nil {
		t.Fatal(err)
	}
	return tape.Lines
}

// With all machines as buffer every job starts when and where its host starts it.
func TestWithoutSleepItIsItsHost(t *testing.T) {
	for seed := range uint64(30) {
		w, err := crowd(seed, 80)
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprint(play(t, w, simtest.Build(t, "qssf", queueing.NewQSSF, "")()))
		for _, text := range []string{"buffer=all", "buffer=8,rule=timer,idle_s=0",
			"buffer=all,forecast=day,tick_s=60,future=3", "rule=break-even,buffer=8"} {
			p := policy(t, text)()
			if got := fmt.Sprint(play(t, w, p)); got != want {
				t.Fatalf("seed %d, %s: got\n%s\nwant\n%s", seed, text, got, want)
			}
			if m := measures(p); m["ces_asleep_node_s"] != 0 {
				t.Errorf("seed %d, %s: machines sleep %v s", seed, text, m["ces_asleep_node_s"])
			}
		}
	}
}

// auditor keeps its own books of power-offs beside a policy, and of machines in use from what
// observers see.
type auditor struct {
	sim.Policy
	since   map[int32]sim.Time // machines asleep
	slept   []sim.Interval     // of machines, from power-off to power-on
	work    []sim.Interval
	present sim.Time // the last instant before which a job was there
	jobs    int
}

func (a *auditor) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if a.jobs > 0 {
		a.present = v.Now()
	}
	out = a.Policy.Decide(v, out)
	for _, d := range out {
		switch d.Kind {
		case sim.PowerOff:
			a.since[d.Machine] = v.Now()
		case sim.PowerOn:
			a.slept = append(a.slept, sim.Interval{Start: a.since[d.Machine], End: v.Now()})
			delete(a.since, d.Machine)
		}
	}
	return out
}

func (a *auditor) Interval(i *sim.Interval) {
	c := *i
	c.GPUs = append([]cluster.GPU(nil), i.GPUs...)
	a.work = append(a.work, c)
}
func (a *auditor) Job(*sim.Record)      {}
func (a *auditor) Instant(g *sim.Gauge) { a.jobs = g.Waiting + g.Running }

// used gives machine-time with a job, a machine counted once.
func (a *auditor) used(per int) (sum sim.Time) {
	for m := range 8 {
		var ends []sim.Time // pairs of start and end, by start as intervals of one machine come by end
		for _, w := range a.work {
			for _, g := range w.GPUs {
				if int(g)/per == m {
					ends = append(ends, w.Start, w.End)
					break
				}
			}
		}
		sum += union(ends)
	}
	return sum
}

// union is the length of the union of intervals.
func union(pairs []sim.Time) (sum sim.Time) {
	for len(pairs) > 0 {
		lo, hi := pairs[0], pairs[1]
		rest := []sim.Time{}
		for grown := true; grown; {
			grown, rest = false, rest[:0]
			for i := 0; i < len(pairs); i += 2 {
				switch s, e := pairs[i], pairs[i+1]; {
				case s > hi || e < lo:
					rest = append(rest, s, e)
				case s < lo || e > hi:
					lo, hi, grown = min(lo, s), max(hi, e), true
				}
			}
		}
		sum += hi - lo
		pairs = append([]sim.Time(nil), rest...)
	}
	return sum
}

// The measures against an auditor's that sees power-offs and allocations alone: time asleep and time
// in use.
func TestBooks(t *testing.T) {
	for seed := range uint64(40) {
		w, err := crowd(seed, 80)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"rule=timer,idle_s=300", "rule=break-even,boots=one",
			"forecast=last,site=philly,tick_s=60,buffer=1", "forecast=day,tick_s=100,future=5,fut_threshold=-9,buffer=2," +
				"keep=2"} {
			p := policy(t, text)().(*Policy)
			a := &auditor{Policy: p, since: map[int32]sim.Time{}}
			play(t, w, a, a)
			slept := sim.Time(0)
			for _, i := range a.slept {
				slept += min(i.End, a.present) - min(i.Start, a.present)
			}
			for _, at := range a.since {
				slept += max(0, a.present-at)
			}
			s := &p.book.sum
			if first := w.Jobs[0].Submit; s.time != a.present-first || s.asleep != slept || s.used != a.used(4) || slept == 0 {
				t.Fatalf("seed %d, %s: time %v asleep %v used %v, auditor %v, %v, %v", seed, text, s.time, s.asleep,
					s.used, a.present-first, slept, a.used(4))
			}
		}
	}
}
