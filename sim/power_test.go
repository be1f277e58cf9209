package sim

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/power"
	"tarry/sim/series"
)

// watching keeps what observers receive about power.
type watching struct{ lines []string }

func (w *watching) Interval(*Interval) {}
func (w *watching) Job(*Record)        {}
func (w *watching) Instant(*Gauge)     {}
func (w *watching) Machine(m int32, s power.State, from Time) {
	w.lines = append(w.lines, fmt.Sprintf("machine %d %v from %v", m, s, from))
}
func (w *watching) Draw(j JobID, gpus []cluster.GPU, util, freq float64, from Time) {
	w.lines = append(w.lines, fmt.Sprintf("job %d on %v use %v at clock %v from %v", j, gpus, util, freq, from))
}

// plant is a model of machines that boot in 60 s and go down in 5.
func plant(machines int) *power.Model {
	return &power.Model{Specs: []power.Spec{{OffW: 10, BootW: 250, IdleW: 100, GPUIdleW: 50, LinearW: 100, CubicW: 100,
		BootS: 60, DownS: 5}}, Of: make([]int32, machines)}
}

// steps is a value that changes once, after some seconds.
func steps(from float64, s int64, to float64) []series.Step {
	return []series.Step{{Value: from}, {At: s * 1e6, Value: to}}
}

func off(m int32) Decision  { return Decision{Kind: PowerOff, Machine: m} }
func wake(m int32) Decision { return Decision{Kind: PowerOn, Machine: m} }

// A machine that is switched off is out of the free list until its boot has ended, and each change is
// reported with the time from which it holds.
func TestPowerOffAndOn(t *testing.T) {
	var seen []string
	p := play{cfg: Config{Topology: topology(t, 1, 2, 1, 1), Power: plant(2), Costs: Costs{Start: Cost{FixedS: 2}}},
		plan: map[Time][]Decision{0: {off(1)}, 2 * Second: {wake(1)}, 65 * Second: {begin(0, 1)},
			70 * Second: {{Kind: Tune, Job: 0, Knobs: Knobs{FreqFrac: 0.5}}}}}
	p.look = func(v *View) {
		w := v.Power()
		seen = append(seen, fmt.Sprintf("%v %v ready %v, free %d, %v W", v.Now(), w.State(1), w.ReadyAt(1), v.Free().Total(),
			w.Watts()))
	}
	var w watching
	p.cfg.Workload, p.cfg.Speed, p.cfg.Check = jobs(t, Job{GPUs: 1, Work: 20 * Second}), counting{}, true
	if _, err := Run(t.Context(), p.cfg, p, &w); err != nil {
		t.Fatal(err)
	}
	same(t, "view", seen, "0s on ready never, free 2, 300 W", "2s stopping ready never, free 1, 300 W",
		"65s on ready never, free 2, 300 W", "70s on ready never, free 1, 500 W", "104s on ready never, free 2, 300 W")
	same(t, "told", w.lines, "machine 1 stopping from 0s", "machine 1 off from 5s", "machine 1 booting from 5s",
		"machine 1 on from 65s", "job 0 on [1] use 0 at clock 1 from 65s", "job 0 on [1] use 1 at clock 1 from 67s",
		"job 0 on [1] use 1 at clock 0.5 from 70s", "job 0 on [] use 0 at clock 1 from 104s")
}

// Wrong requests are refused with the reason.
func TestPowerRefusals(t *testing.T) {
	fails := Schedule{{At: 0, Machine: 1, GPU: 0}}.Source()
	for want, ds := range map[string][]Decision{
		"power-off of machine 2: outage of machine 2, expected 0..1":         {off(2)},
		`job "j0" holds GPU 0 of the machine, expected one without jobs`:     {begin(0, 0), off(0)},
		"GPU 2 of the machine has failed, expected one that is up":           {off(1)},
		"power-on of machine 0: the machine is on, expected one that is off": {wake(0)},
		"the machine is stopping, expected one that is on":                   {off(0), off(0)},
		"the machine is booting, expected one that is off or stopping":       {off(0), wake(0), wake(0)},
		"GPU 0 is down": {off(0), begin(0, 0)},
	} {
		p := play{cfg: Config{Topology: topology(t, 1, 2, 2, 1), Power: plant(2), Outages: fails},
			plan: map[Time][]Decision{0: ds}}
		if _, err := p.run(t, 0, Job{ID: "j0", GPUs: 1, Work: Second}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %q", err, want)
		}
	}
}

// A boot that a failure interrupts begins anew at the repair; so does one that was asked for while the
// machine was broken.
func TestBootOnABrokenMachine(t *testing.T) {
	outages := Schedule{{At: 10 * Second, Machine: 1, GPU: 0}, {At: 20 * Second, Machine: 1, GPU: -1},
		{At: 100 * Second, Machine: 1, GPU: -1, Up: true}, {At: 101 * Second, Machine: 1, GPU: 0, Up: true},
		{At: 200 * Second, Machine: 0, GPU: -1}, {At: 230 * Second, Machine: 0, GPU: -1, Up: true}}
	p := play{cfg: Config{Topology: topology(t, 1, 2, 1, 1), Power: plant(2), Outages: outages.Source()},
		plan: map[Time][]Decision{0: {off(1)}, 5 * Second: {wake(1)}, 180 * Second: {off(0)}, 210 * Second: {wake(0)},
			290 * Second: {begin(0, 0)}, 300 * Second: {}}}
	o := p.mustRun(t, 0, Job{GPUs: 1, Work: Second})
	var ready []string
	for _, e := range o.events {
		if strings.Contains(e, "ready") {
			ready = append(ready, e)
		}
	}
	// The single GPU of machine 1 fails on its own first: the machine counts as broken until both are repaired.
	same(t, "ready", ready, "161s ready", "290s ready")
	same(t, "tape", o.tape[:1], "job 0 on [0] 290s-291s run 1s finish")
}

// A change of a series is an instant; times to come are open with the permission alone.
func TestSeriesShift(t *testing.T) {
	m := plant(1)
	m.Price = &series.Series{Steps: steps(1, 3, 2), Every: 10e6}
	m.Cap = &series.Series{Steps: steps(500, 5, 400)}
	for _, k := range []know.Set{know.Nothing, know.Series} {
		var seen []string
		p := play{cfg: Config{Power: m}, know: k, plan: map[Time][]Decision{0: {begin(0, 0)}}}
		p.look = func(v *View) {
			w := v.Power()
			seen = append(seen, fmt.Sprint(v.Now(), w.Price(v.Now()), w.Price(v.Now()+3*Second), w.Cap(v.Now()), w.Carbon(0)))
		}
		o := p.mustRun(t, 1, Job{GPUs: 1, Work: 11 * Second})
		same(t, "events", o.events, "0s arrive 0", "3s shift", "5s shift", "10s shift", "11s finish 0")
		want := []string{"0s 1 2 500 NaN", "3s 2 2 500 NaN", "5s 2 2 400 NaN", "10s 1 2 400 NaN", "11s 1 2 400 NaN"}
		if k == know.Nothing {
			for i := range want {
				f := strings.Fields(want[i])
				f[2] = "NaN"
				want[i] = strings.Join(f, " ")
			}
		}
		same(t, fmt.Sprint("seen with ", k), seen, want...)
	}
}

// A policy that waits for another price for ever ends with an error, not never.
func TestShiftsWithoutAStart(t *testing.T) {
	m := plant(1)
	m.Price = &series.Series{Steps: steps(1, 1, 2), Every: 2e6}
	p := script{f: func(v *View, out []Decision) []Decision { return out }}
	_, err := Run(t.Context(), Config{Workload: jobs(t, Job{ID: "a", GPUs: 1, Work: Second}),
		Topology: topology(t, 1, 1, 1, 1), Speed: counting{}, Power: m}, p)
	if err == nil || !strings.Contains(err.Error(), `1 jobs wait, among them job "a", and the price`) {
		t.Errorf("error %v, expected one that names the job and the price", err)
	}
}

// What a job would draw needs the permission of speeds; the draw of a running job is measured.
func TestDraw(t *testing.T) {
	for _, k := range []know.Set{know.Nothing, know.Speed} {
		p := play{cfg: Config{Power: plant(1)}, know: k, plan: map[Time][]Decision{0: {begin(0, 0, 1)}, Second: {}}}
		p.look = func(v *View) {
			at := v.Power().DrawOn(0, Placement{GPUs: on(0, 1), Knobs: Knobs{FreqFrac: 0.5}})
			if want := 2 * (50 + 12.5); k == know.Speed && at != want || k == know.Nothing && !math.IsNaN(at) {
				t.Errorf("with %v a job would draw %v W at half the clock, it draws %v", k, at, want)
			}
			if d := v.Power().Draw(0); v.Run(0).State() == Running && d != 400 {
				t.Errorf("the job draws %v W, expected 400", d)
			}
		}
		p.mustRun(t, 2, Job{GPUs: 2, Work: 4 * Second})
	}
	m := plant(1)
	m.JobUtil = true
	p := play{cfg: Config{Power: m}, plan: map[Time][]Decision{0: {begin(0, 0)}, Second: {}}}
	p.look = func(v *View) {
		if d := v.Power().Draw(0); v.Run(0).State() == Running && d != 50 {
			t.Errorf("a job of a quarter's use draws %v W, expected 50", d)
		}
	}
	p.mustRun(t, 1, Job{GPUs: 1, Work: 4 * Second, GPUUtilFrac: 0.25})
}

// A snapshot holds the states of machines, boots under way and the next change of a series.
func TestPowerSnapshot(t *testing.T) {
	m := plant(2)
	m.Price = &series.Series{Steps: steps(1, 7, 2), Every: 30e6}
	cfg := Config{Workload: jobs(t, Job{GPUs: 1, Work: 9 * Second}, Job{GPUs: 1, Work: 9 * Second, Submit: 40 * Second}),
		Topology: topology(t, 1, 2, 1, 1), Speed: counting{}, Power: m, Check: true}
	p := play{plan: map[Time][]Decision{0: {off(1), begin(0, 0)}, 8 * Second: {wake(1)}, 68 * Second: {begin(1, 1)}}}
	first, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var at []*Snapshot
	var want [][]string
	for {
		v, ok, err := first.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		line := sight(v)
		for i := range want {
			want[i] = append(want[i], line)
		}
		if err := first.Apply(p.Decide(v, nil)); err != nil {
			t.Fatal(err)
		}
		at, want = append(at, first.Snapshot()), append(want, nil)
	}
	for i, s := range at {
		e, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Restore(s); err != nil {
			t.Fatal(err)
		}
		got := story(t, e, p)
		got = slices.DeleteFunc(got, func(s string) bool { return strings.HasPrefix(s, "after: ") })
		if got = got[:len(got)-1]; len(got)+len(want[i]) > 0 && !reflect.DeepEqual(got, want[i]) {
			t.Errorf("after snapshot %d: got\n%s\nwant\n%s", i, strings.Join(got, "\n"), strings.Join(want[i], "\n"))
		}
	}
	if len(at) < 6 {
		t.Errorf("%d instants, expected some", len(at))
	}
}

// A wrong model of power is an error of the configuration.
func TestPowerOfTheWrongCluster(t *testing.T) {
	_, err := New(Config{Workload: jobs(t, Job{GPUs: 1, Work: 1}), Topology: topology(t, 1, 2, 1, 1), Speed: counting{},
		Power: plant(3)})
	if err == nil || !strings.Contains(err.Error(), "specs of 3 machines, expected 2") {
		t.Errorf("error %v", err)
	}
}
