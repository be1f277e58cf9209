package books_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/power"
	"tarry/sim/power/books"
	"tarry/sim/series"
)

// shop starts jobs in order of arrival on the first free GPUs, at a clock; it may tune them to that
// clock again and again, and switch machines off that have no job.
type shop struct {
	clock  float64
	tunes  bool
	sleeps bool
	queue  []sim.JobID
}

func (*shop) Knows() know.Set { return know.Nothing }

func (p *shop) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, e := range v.Events() {
		switch e.Kind {
		case sim.Arrive:
			p.queue = append(p.queue, e.Job)
		case sim.Drained:
			p.queue = append(p.queue, e.Job)
		}
	}
	top, knobs := v.Topology(), sim.Knobs{FreqFrac: p.clock}
	for len(p.queue) > 0 {
		gpus, ok := v.Free().At(nil, v.Job(p.queue[0]).GPUs(), cluster.LevelCluster, cluster.FirstFound)
		if !ok {
			break
		}
		v.Free().TakeAll(gpus)
		out = append(out, sim.Decision{Kind: sim.Start, Job: p.queue[0], GPUs: gpus, Knobs: knobs})
		p.queue = p.queue[1:]
	}
	for j := range sim.JobID(v.NumJobs()) {
		if p.tunes && v.Run(j).State() == sim.Running {
			out = append(out, sim.Decision{Kind: sim.Tune, Job: j, Knobs: knobs})
		}
	}
	for m := range top.Machines() {
		lo, hi := top.MachineGPUs(m)
		switch s := v.Power().State(m); {
		case !p.sleeps:
		case len(p.queue) == 0 && s == power.On && v.Free().InMachine(m) == int(hi-lo):
			out = append(out, sim.Decision{Kind: sim.PowerOff, Machine: int32(m)})
		case len(p.queue) > 0 && (s == power.Off || s == power.Stopping):
			out = append(out, sim.Decision{Kind: sim.PowerOn, Machine: int32(m)})
		}
	}
	return out
}

// scaled is a speed model in which a part of the work scales with the clock, and a part of the time is
// communication.
type scaled struct{ phi, comm float64 }

func (m scaled) Speed(q *sim.Query) (sim.Speed, error) {
	return sim.Speed{Rate: float64(len(q.GPUs)) / power.Slowdown(m.phi, q.FreqFrac), ComputeFrac: 1 - m.comm}, nil
}

// lived is what a run gave.
type lived struct {
	*books.Book
	jobs    []string
	waits   []sim.Time
	busy    float64 // as the intervals have it
	shared  books.Energy
	machine *power.Model
}

func (l *lived) Interval(i *sim.Interval) {
	spec := &l.machine.Specs[0]
	l.busy += i.Run.Seconds() * (1 - i.CommFrac) * float64(i.ShareMilli) / 1000 * float64(len(i.GPUs)) *
		spec.BusyW(i.FreqFrac)
}

func (l *lived) Job(r *sim.Record) {
	l.Book.Job(r)
	allocations := *r
	allocations.Allocations = 0
	l.jobs, l.waits = append(l.jobs, fmt.Sprintf("%+v", allocations)), append(l.waits, r.Queue)
}

func (l *lived) Instant(g *sim.Gauge) { l.Book.Instant(g) }

// run plays jobs on three machines of four GPUs; starts are paused.
func run(t *testing.T, js []sim.Job, p *shop, m *power.Model) *lived {
	t.Helper()
	w, err := sim.NewWorkload("w", slices.Clone(js))
	if err != nil {
		t.Fatal(err)
	}
	l, top := &lived{machine: m}, topology(t, 3, 4)
	l.Book = open(t, m, top, func(_ *sim.Record, e books.Energy) { l.shared = l.shared.Plus(e) })
	e, err := sim.Run(t.Context(), sim.Config{Workload: w, Topology: top, Speed: scaled{.6, .125}, Power: m, Check: true,
		Costs: sim.Costs{Start: sim.Cost{FixedS: 3.5}}}, p, l)
	if err != nil {
		t.Fatal(err)
	}
	if l.Advance(e.Now()); l.Err() != nil {
		t.Fatal(l.Err())
	}
	return l
}

func drawn(seed uint64) (js []sim.Job) {
	r, at := rand.New(rand.NewPCG(seed, 8)), sim.Time(0)
	for i := range 40 {
		at += sim.Time(r.IntN(9e7))
		js = append(js, sim.Job{ID: fmt.Sprint(i), GPUs: 1 + r.Int32N(6), Submit: at, Work: 1 + sim.Time(r.IntN(9e8))})
	}
	return js
}

func sleeper() *power.Model {
	return model(3, power.Spec{OffW: 4, BootW: 130, IdleW: 90, GPUIdleW: 11, LinearW: 64, CubicW: 128, BootS: 45,
		DownS: 10, CycleJ: 700})
}

// Laws 1, 3 and 4 of the kernel's power: the books of machines, parts and jobs are one sum to the last
// bit, and busy energy is what the intervals state; without sleep the rest has a closed form; with it
// every machine-second has one state, and no job beats a boot.
func TestLawsOfBooks(t *testing.T) {
	for seed := range uint64(20) {
		js := drawn(seed)
		for _, sleeps := range []bool{false, true} {
			l := run(t, js, &shop{clock: .75, sleeps: sleeps}, sleeper())
			var parts, all books.Energy
			for p := range books.Parts {
				parts = parts.Plus(l.Of(p))
				for m := range 3 {
					all = all.Plus(l.OfMachine(m, p))
				}
			}
			if parts != l.Total() || all != l.Total() || l.shared != l.Of(books.Busy) {
				t.Errorf("parts %v J, machines %v J, total %v J; jobs %v J, busy %v J", parts.J(), all.J(), l.Total().J(),
					l.shared.J(), l.Of(books.Busy).J())
			}
			if got := l.Of(books.Busy).J(); math.Abs(got-l.busy) > 1e-6*got { // intervals hold whole microseconds
				t.Errorf("busy %v J, by the intervals %v J", got, l.busy)
			}
			whole := 3 * l.Now().Seconds()
			boot := (l.Of(books.Boot).J() - float64(l.Boots())*700) / 130
			near(t, "machine-seconds", l.Of(books.Idle).J()/90+l.Of(books.Off).J()/4+boot, whole)
			near(t, "idle GPUs", l.Of(books.GPUIdle).J(), l.Of(books.Idle).J()/90*44)
			if !sleeps {
				near(t, "always on", l.Of(books.Idle).J(), 90*whole)
			} else if l.Boots() < 2 || boot > 45*float64(l.Boots())+1e-6 {
				t.Errorf("%d boots take %v s", l.Boots(), boot)
			}
		}
	}
}

// A job that waits for a boot alone waits as long as it takes, after the shut-down.
func TestWaitForBoot(t *testing.T) {
	js := []sim.Job{{ID: "a", GPUs: 12, Work: 12 * sim.Second}, {ID: "b", GPUs: 12, Work: sim.Second, Submit: 100 *
		sim.Second}}
	l := run(t, js, &shop{clock: 1, sleeps: true}, sleeper())
	if want := 45 * sim.Second; l.waits[1] != want || l.Boots() != 3 || l.Stops() != 6 { // they sleep again at the end
		t.Errorf("waits %v, %d boots, %d stops, expected a wait of %v", l.waits, l.Boots(), l.Stops(), want)
	}
}

// Laws 6, 7 and 9: the nominal clock is no clock; tuning to the same clock, doubled watts and a price
// change no job, and not the energy but by the factor.
func TestLawsOfRuns(t *testing.T) {
	for seed := range uint64(10) {
		js, priced := drawn(seed), sleeper()
		priced.Price = series.Constant(.21)
		twice := model(3, power.Spec{OffW: 8, BootW: 260, IdleW: 180, GPUIdleW: 22, LinearW: 128, CubicW: 256, BootS: 45,
			DownS: 10, CycleJ: 1400})
		plain := run(t, js, &shop{clock: .5, sleeps: true}, sleeper())
		for what, l := range map[string]*lived{"tuned": run(t, js, &shop{clock: .5, sleeps: true, tunes: true}, sleeper()),
			"priced": run(t, js, &shop{clock: .5, sleeps: true}, priced),
			"twice":  run(t, js, &shop{clock: .5, sleeps: true}, twice)} {
			want := plain.Total()
			if what == "twice" {
				want = want.Plus(want)
			}
			if !slices.Equal(l.jobs, plain.jobs) || l.Total() != want {
				t.Errorf("seed %d, %s: other jobs, or %v J, expected %v", seed, what, l.Total().J(), want.J())
			}
			if what == "priced" && l.Cost() != .21*want.KWh() {
				t.Errorf("seed %d: the cost is %v, expected %v", seed, l.Cost(), .21*want.KWh())
			}
		}
		one, none := run(t, js, &shop{clock: 1}, sleeper()), run(t, js, &shop{}, sleeper())
		if !slices.Equal(one.jobs, none.jobs) || one.Total() != none.Total() {
			t.Errorf("seed %d: the nominal clock is not the default", seed)
		}
	}
}

// Law 8: of runs of a job alone at each clock the least energy has the clock that LeastClock gives, and
// that energy.
func TestLeastClockOfRuns(t *testing.T) {
	m := model(3, power.Spec{GPUIdleW: 3.5, LinearW: 40, CubicW: 200})
	js, clocks := []sim.Job{{ID: "a", GPUs: 12, Work: 12 * 500 * sim.Second}}, []float64{.375, .5, .625, .75, .875, 1}
	watts := func(c float64) float64 { return 12*3.5 + 12*.875*m.Specs[0].BusyW(c) }
	best, least := power.LeastClock(clocks, .6, watts, 0)
	found, lowest := 0.0, math.Inf(1)
	for _, c := range clocks {
		if e := run(t, js, &shop{clock: c}, m).Total().J() - 3.5*12*3.5; e < lowest { // without the start's pause
			found, lowest = c, e
		}
	}
	if found != best || math.Abs(lowest-500*least) > 1e-6*lowest {
		t.Errorf("clock %v with %v J, expected %v with %v", found, lowest, best, 500*least)
	}
}

// A run that continues from a snapshot, with a copy of the book, ends with the same book.
func TestBooksAfterRestore(t *testing.T) {
	js, m, top := drawn(3), sleeper(), topology(t, 3, 4)
	m.Price = &series.Series{Steps: []series.Step{{At: 0, Value: 1}, {At: 7e7, Value: 3}}, Every: 2e8}
	w, err := sim.NewWorkload("w", js)
	if err != nil {
		t.Fatal(err)
	}
	fresh := func() (*sim.Engine, *books.Book) {
		b := open(t, m, top, nil)
		e, err := sim.New(sim.Config{Workload: w, Topology: top, Speed: scaled{.6, .125}, Power: m,
			Costs: sim.Costs{Start: sim.Cost{FixedS: 3.5}}}, b)
		if err != nil {
			t.Fatal(err)
		}
		return e, b
	}
	play := func(e *sim.Engine, p *shop, instants int) {
		for range instants {
			v, ok, err := e.Next()
			if err == nil && ok {
				err = e.Apply(p.Decide(v, nil))
			}
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				return
			}
		}
	}
	for _, at := range []int{1, 17, 40, 71} {
		e, b := fresh()
		p := &shop{clock: .75, sleeps: true}
		play(e, p, at)
		other, copied := fresh()
		again := &shop{clock: .75, sleeps: true, queue: slices.Clone(p.queue)}
		if err := other.Restore(e.Snapshot()); err != nil {
			t.Fatal(err)
		}
		copied.CopyFrom(b)
		play(e, p, math.MaxInt)
		play(other, again, math.MaxInt)
		b.Advance(e.Now())
		copied.Advance(other.Now())
		if e.Now() == 0 || b.Total() != copied.Total() || b.Cost() != copied.Cost() || b.Boots() != copied.Boots() {
			t.Errorf("after %d instants: %v J for %v, from the snapshot %v J for %v", at, b.Total().J(), b.Cost(),
				copied.Total().J(), copied.Cost())
		}
	}
}
