package power

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/baselines/dally"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/sim"
	"tarry/sim/cluster"
	draw "tarry/sim/power"
	"tarry/sim/power/books"
	"tarry/sim/simtest"
)

// watcher notes machines and clocks.
type watcher struct {
	on, most, offs, boots int
	clocks                []float64
	t                     *testing.T
	off                   map[int32]bool
	top                   *cluster.Topology
}

func (w *watcher) Interval(i *sim.Interval) {
	if !slices.Contains(w.clocks, i.FreqFrac) {
		w.clocks = append(w.clocks, i.FreqFrac)
	}
}
func (w *watcher) Job(*sim.Record) {}
func (w *watcher) Instant(*sim.Gauge) {
	w.most = max(w.most, w.on)
}
func (w *watcher) Machine(machine int32, s draw.State, _ sim.Time) {
	switch s {
	case draw.Off:
		w.on--
		w.offs++
		w.off[machine] = true
	case draw.Booting:
		w.on++
		w.boots++
	case draw.On:
		w.off[machine] = false
	}
}
func (w *watcher) Draw(j sim.JobID, gpus []cluster.GPU, util, _ float64, _ sim.Time) {
	for _, g := range gpus {
		if m := int32(w.top.Machine(g)); util > 0 && w.off[m] {
			w.t.Errorf("job %d draws on machine %d, which is off", j, m)
		}
	}
}

// run plays a window under an agent that always does the same.
func run(t *testing.T, c Config, act schedenv.Actor) (*watcher, *sim.Engine, []sim.Job) {
	t.Helper()
	p, err := AsPolicy(c, act)
	if err != nil {
		t.Fatal(err)
	}
	w := &watcher{t: t, on: c.Topology.Machines(), off: map[int32]bool{}, top: c.Topology}
	e, load, err := c.Run(context.Background(), 1, p, w)
	if err != nil {
		t.Fatal(err)
	}
	return w, e, load.Jobs
}

// No more machines are on than the limit, spare ones stay on, and timers switch the others off; all
// jobs end all the same.
func TestLimitSpareTimer(t *testing.T) {
	for _, base := range []string{"dally", "fifo", "fifo-fit", "srtf"} {
		c := config(t, "cluster=2x4x4,windows=4,warm=0,horizon=24,load=0.4,base="+base)
		type outcome struct{ offs, boots int }
		var seen []outcome
		for _, of := range []struct {
			limit, spare, timer float64
			most                int
		}{{1, 0, 0, 8}, {1, 0, 0.2, 8}, {1, 0.25, 0, 8}, {0.5, 0, 0, 8}, {0, 0, 0, 8}, {1, 1, 0, 8}} {
			w, e, jobs := run(t, c, set(of.limit, of.spare, of.timer, 1, 1, 1))
			for j := range jobs {
				if e.Record(sim.JobID(j)).State != sim.Done {
					t.Fatalf("%s, %v: job %d is %v", base, of, j, e.Record(sim.JobID(j)).State)
				}
			}
			seen = append(seen, outcome{w.offs, w.boots})
		}
		if seen[0].offs == 0 || seen[0].boots == 0 || seen[1].offs >= seen[0].offs || seen[2].offs >= seen[0].offs {
			t.Errorf("%s: %v, expected fewer switches with a timer or spare machines", base, seen)
		}
		if seen[5].offs != 0 {
			t.Errorf("%s: all machines are spare, and %d are switched off", base, seen[5].offs)
		}
	}
}

// By hand: one machine of four GPUs, two jobs apart; the machine goes off when it has been idle for
// the timer, and the second job waits for the boot.
func TestByHand(t *testing.T) {
	c := config(t, "cluster=1x1x4,windows=1,warm=0,horizon=24,base=fifo,speed=counting")
	w, err := sim.NewWorkload("w", []sim.Job{{ID: "a", GPUs: 2, Work: 2000 * sim.Second},
		{ID: "b", GPUs: 4, Work: 4000 * sim.Second, Submit: 10000 * sim.Second}})
	if err != nil {
		t.Fatal(err)
	}
	for timer, want := range map[float64]struct{ end, j float64 }{
		// idle 450 W, busy 250 W per GPU at the nominal clock, off 10 W; boot 120 s at 300 W, 20 kJ
		0.5: {11120, 450*(1000+1800+30+1000) + 250*(2*1000+4*1000) + 10*(10000-2830) + 300*120 + 20000},
		0:   {11120, 450*(1000+30+1000) + 250*(2*1000+4*1000) + 10*(10000-1030) + 300*120 + 20000},
		3:   {11000, 450*11000 + 250*(2*1000+4*1000)},
	} {
		p, err := AsPolicy(c, set(1, 0, timer, 1, 1, 1))
		if err != nil {
			t.Fatal(err)
		}
		speed, err := c.Speed()
		if err != nil {
			t.Fatal(err)
		}
		book, err := books.New(c.Power, c.Topology, nil)
		if err != nil {
			t.Fatal(err)
		}
		joules := &meter{model: c.Power, top: c.Topology}
		e, err := sim.Run(t.Context(), sim.Config{Workload: w, Topology: c.Topology, Speed: speed, Power: c.Power,
			Check: true}, p,
			joules, book)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Record(1).End.Seconds(); got != want.end {
			t.Errorf("timer %v: the second job ends at %v s, expected %v", timer, got, want.end)
		}
		if got := joules.until(e.Now()); math.Abs(got-want.j) > 1 || math.Abs(book.Total().J()-want.j) > 1 {
			t.Errorf("timer %v: %v J and %v J, expected %v", timer, got, book.Total().J(), want.j)
		}
	}
}

// meter adds up one machine's energy by hand.
type meter struct {
	model *draw.Model
	top   *cluster.Topology
	list  []struct {
		at     sim.Time
		job    bool
		w      float64
		cycleJ float64
	}
}

func (*meter) Interval(*sim.Interval) {}
func (*meter) Job(*sim.Record)        {}
func (*meter) Instant(*sim.Gauge)     {}
func (m *meter) Machine(_ int32, s draw.State, at sim.Time) {
	spec := &m.model.Specs[0]
	w := map[draw.State]float64{draw.On: spec.OnW(4), draw.Stopping: spec.OnW(4), draw.Off: spec.OffW,
		draw.Booting: spec.BootW}[s]
	m.add(at, false, w, map[bool]float64{true: spec.CycleJ}[s == draw.Booting])
}
func (m *meter) Draw(_ sim.JobID, gpus []cluster.GPU, util, freq float64, at sim.Time) {
	m.add(at, true, float64(len(gpus))*util*m.model.Specs[0].BusyW(freq), 0)
}
func (m *meter) add(at sim.Time, job bool, w, cycleJ float64) {
	m.list = append(m.list, struct {
		at     sim.Time
		job    bool
		w      float64
		cycleJ float64
	}{at, job, w, cycleJ})
}
func (m *meter) until(end sim.Time) (sum float64) {
	last, base, busy := sim.Time(0), m.model.Specs[0].OnW(4), 0.0
	for _, x := range m.list {
		if x.at > end {
			break
		}
		sum += (base+busy)*(x.at-last).Seconds() + x.cycleJ
		last = x.at
		if x.job {
			busy = x.w
		} else {
			base = x.w
		}
	}
	return sum + (base+busy)*(end-last).Seconds()
}

// A class has its clock: with the speed of pure compute half of it takes twice the time.
func TestClocks(t *testing.T) {
	c := config(t, "cluster=2x2x4,windows=4,warm=0,horizon=24,load=0.3,base=fifo,speed=counting")
	for _, clock := range [][]float64{{1, 1, 0.5}, {0.5, 0.5, 1}, {0.7, 1, 0.8}} {
		_, e, jobs := run(t, c, set(1, 1, never, clock...))
		for j := range jobs {
			of := clock[0]
			if jobs[j].GPUs > 4 {
				of = clock[2]
			} else if jobs[j].GPUs > 1 {
				of = clock[1]
			}
			if got, want := e.Record(sim.JobID(j)).Run.Seconds(), jobs[j].RunTime().Seconds()/of; math.Abs(got-want) > 1e-5 {
				t.Errorf("%v: job %d runs for %v s, expected %v", clock, j, got, want)
			}
		}
	}
	var seen []float64
	c = config(t, "cluster=2x2x4,windows=4,warm=0,horizon=24,load=0.8,base=fifo")
	w, _, _ := run(t, c, func(obs []float64, _ []bool, action []float64) { // they change while jobs run
		wild(obs, nil, action)
		seen = append(seen, action[actClock:]...)
	})
	if len(w.clocks) < 8 || len(seen) < 30 {
		t.Errorf("clocks %v, expected many", w.clocks)
	}
}

// The same agent outside and inside the loop gives the same run.
func TestAsPolicyIsTheEnvironment(t *testing.T) {
	for _, text := range []string{short + ",warm=0,horizon=40", short +
		",warm=8,horizon=40,checkpoint_s=20,restore_s=5,base=las"} {
		c := config(t, text+",warmup=base")
		c.Horizon = 0
		schedtest.Inside(t, text, made(t, c), c, 2, wild, AsPolicy)
	}
}

// The policy with an agent in it keeps the kernel's rules, starves no job and can be resumed.
func TestConformance(t *testing.T) {
	few := func(obs []float64, mask []bool, action []float64) { wild(obs[:12], mask, action) }
	for name, act := range map[string]schedenv.Actor{"wild": few, "none": set(0, 0, 0, 0.5, 0.5, 0.5)} {
		t.Run(name, func(t *testing.T) {
			c := Config{Every: 20 * sim.Second, LowestClock: 0.5}
			c.Dally = dally.Default()
			c.Dally.LeaseS = 60
			c.Power = &draw.Model{}
			simtest.Policy(t, func() sim.Policy {
				p, err := AsPolicy(c, act)
				if err != nil {
					t.Fatal(err)
				}
				return p
			}, simtest.Options{Seeds: 60})
		})
	}
}

func TestActions(t *testing.T) {
	c, action := Config{LowestClock: 0.5}, make([]float64, numActions)
	for _, l := range []levels{{limit: 16, spare: 0, timer: sim.Never, clock: [classes]float64{1, 0.5, 0.75}},
		{limit: 3, spare: 4, timer: 7200 * sim.Second, clock: [classes]float64{0.55, 0.95, 0.5}},
		{limit: 0, spare: 16, timer: 0, clock: [classes]float64{1, 1, 1}}} {
		leases := float64(l.timer) / 3.6e9
		if l.timer == sim.Never {
			leases = never
		}
		c.encode(float64(l.limit)/16, float64(l.spare)/16, leases, l.clock, action)
		if got := c.decode(action, 16, 3600*sim.Second); got != l {
			t.Errorf("%v is decoded as %+v, expected %+v", action, got, l)
		}
	}
	for frac := range 11 {
		phi := float64(frac) / 10
		for _, clock := range []float64{0.5, 0.8, 1} {
			seen := phi / clock / (phi/clock + 1 - phi)
			if got := nominal(seen, clock); math.Abs(got-phi) > 1e-12 {
				t.Errorf("%v of the time at %v is %v at the nominal clock, expected %v", seen, clock, got, phi)
			}
		}
	}
}

func TestReadFaults(t *testing.T) {
	c := config(t, priced)
	for want, spoil := range map[string]func(c *Config){
		"time between epochs": func(c *Config) { c.Every = 0 }, "the lowest clock": func(c *Config) { c.LowestClock = 0 },
		"states no power": func(c *Config) { c.Power = nil }} {
		bad := c
		spoil(&bad)
		if _, err := New(bad, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %s", err, want)
		}
	}
}
