package sim

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/sim/know"
)

// epochal is a progressive model: epochs of size microseconds of work, of which each has a factor;
// the last is the rest.
type epochal struct {
	size   float64
	factor []float64
}

func (m epochal) epoch(q *Query) int { return min(int(q.Done/m.size), len(m.factor)-1) }

func (m epochal) Speed(q *Query) (Speed, error) {
	f := m.factor[m.epoch(q)]
	return Speed{Rate: float64(len(q.GPUs)) * f, ComputeFrac: min(1, f)}, nil
}

func (m epochal) Mark(q *Query) float64 {
	if k := m.epoch(q); k < len(m.factor)-1 {
		return float64(k+1) * m.size
	}
	return math.Inf(1)
}

func (m epochal) Telemetry(q *Query, t *Telemetry) bool {
	*t = Telemetry{StepS: 1 / float64(len(q.GPUs)), AccumSteps: max(1, q.AccumSteps), Batch: int32(64 * q.Batch),
		Epoch: int32(m.epoch(q)), Epochs: int32(len(m.factor)), ItersLeft: 7, Loss: t.Loss}
	return len(q.GPUs) < 4
}

func (m epochal) Batches(j *Job) BatchLimits { return BatchLimits{Initial: j.BatchSize, Max: 512} }

func slowing() epochal { return epochal{10e6, []float64{1, 1, .5, .25}} }

// Two GPUs do 10 s of work in 5, 5, 10 and 20 s. Nothing but the arrival and the end makes an
// instant, and only a mark at which the speed changes ends an interval.
func TestMarksAreSilent(t *testing.T) {
	var got pieces
	p := play{cfg: Config{Speed: slowing(), Workload: jobs(t, Job{GPUs: 2, Work: 40 * Second}),
		Topology: topology(t, 1, 1, 2, 1), Check: true}, plan: map[Time][]Decision{0: {begin(0, 0, 1)}}}
	e, err := New(p.cfg, &got)
	if err != nil {
		t.Fatal(err)
	}
	at := []Time{}
	for {
		v, ok, err := e.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		at = append(at, v.Now())
		if err := e.Apply(p.Decide(v, nil)); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(at, []Time{0, 40 * Second}) || e.Events() != 2 {
		t.Errorf("the policy is asked at %v, %d events", at, e.Events())
	}
	same(t, "pieces", got.lines, "0s-10s ran 10s did 20s comm 0: clock 1 share 1000 mark",
		"10s-20s ran 10s did 10s comm 0.5: clock 1 share 1000 mark",
		"20s-40s ran 20s did 10s comm 0.75: clock 1 share 1000 finish")
	if r := e.Record(0); r.Allocations != 1 || r.Run != 40*Second {
		t.Errorf("%+v, expected one allocation", r)
	}
}

// A job that a fault returns to a checkpoint before its mark has the speed from before it. GPU 0
// fails at 14 s, when 12 s of work are done; the checkpoint of 12 s has 11 s (rate 1 to 10 s, then
// 1/2). The checkpoint of 9 s is before the mark.
func TestFaultBeforeTheMark(t *testing.T) {
	m := epochal{10e6, []float64{1, .5}}
	for every, want := range map[float64]string{9: "[9e+06 1 2.2e+07]", 12: "[1.1e+07 0.5 2.35e+07]"} {
		var got []float64
		p := play{cfg: Config{Speed: m, Costs: Costs{CheckpointEveryS: every},
			Outages: Schedule{{At: 14 * Second}, {At: 15 * Second, Up: true}}.Source()}, know: know.Progress,
			plan: map[Time][]Decision{0: {begin(0, 0)}, 15 * Second: {begin(0, 1)}, 15*Second + 1: {}, 40 * Second: {}}}
		p.look = func(v *View) {
			switch v.Now() {
			case 15 * Second:
				got = append(got, v.Run(0).Done())
			case 15*Second + 1:
				got = append(got, v.Run(0).Speed().Rate)
			case 40 * Second: // 25 s later: 1 s to the mark and 24 s at 1/2, or all at 1/2
				got = append(got, v.Run(0).Done())
			}
		}
		p.mustRun(t, 2, Job{GPUs: 1, Work: 60 * Second})
		if fmt.Sprint(got) != want {
			t.Errorf("a checkpoint every %v s: done, rate and done are %v, expected %s", every, got, want)
		}
	}
}

// A checkpoint that is taken at a mark, to the instant, is after it.
func TestCheckpointAtTheMark(t *testing.T) {
	third := epochal{1e6 / 3, []float64{1, .5, .25}}
	p := play{cfg: Config{Speed: third}, know: know.Progress | know.Work,
		plan: map[Time][]Decision{0: {begin(0, 0), {Kind: Watch, Counter: Progress, Bound: 333334}},
			Second: {begin(0, 0)}, 2 * Second: {}}}
	p.look = func(v *View) {
		for _, ev := range v.Events() {
			if ev.Kind == Cross {
				p.plan[v.Now()] = []Decision{{Kind: Preempt}}
				if at := v.Now(); at != 333334 || v.Run(0).Done() < third.size {
					t.Errorf("the mark of %v is passed at %v with %v done", third.size, at, v.Run(0).Done())
				}
			}
		}
		if v.Now() == 2*Second && (v.Run(0).Speed().Rate != .25 || v.Run(0).NextMark() != math.Inf(1)) {
			t.Errorf("at 2 s rate %v, next mark %v", v.Run(0).Speed().Rate, v.Run(0).NextMark())
		}
	}
	o := p.mustRun(t, 1, Job{GPUs: 1, Work: Second})
	same(t, "tape", o.tape[:3], "job 0 on [0] 0s-0.333334s run 0.333334s mark",
		"job 0 on [0] 0.333334s-0.333334s run 0s preempt", "job 0 on [0] 1s-1.666666s run 0.666666s mark")
}

// What a policy reads of progress, by what it declares.
func TestProgressKnowledge(t *testing.T) {
	read := func(v *View) string {
		a, ok := v.Run(0).Telemetry()
		b, ok2 := v.TelemetryAt(1, Placement{GPUs: on(1, 2), Knobs: Knobs{Batch: 2, AccumSteps: 3}, Alone: true})
		_, ok3 := v.TelemetryAt(1, Placement{GPUs: on(1, 2, 3, 4), Alone: true})
		return fmt.Sprintf("%v %v %d/%d %v %v | %v %v %d %d | %v | %v %v %v", ok, a.StepS, a.Epoch, a.Epochs,
			a.ItersLeft, a.Loss, ok2, b.StepS, b.Batch, b.AccumSteps, ok3, v.Run(0).NextMark(), v.Run(0).Done(),
			v.Run(1).NextMark())
	}
	for know, want := range map[know.Set]string{
		know.Nothing:                              "false 0 0/0 0 0 | false 0 0 0 | false | NaN NaN NaN",
		know.Speed | know.Work:                    "false 0 0/0 0 0 | false 0 0 0 | false | NaN 1.5e+07 NaN",
		know.Progress:                             "true 1 1/0 NaN NaN | false 0 0 0 | false | 2e+07 1.5e+07 NaN",
		know.Progress | know.Speed:                "true 1 1/0 NaN NaN | true 0.5 128 3 | false | 2e+07 1.5e+07 NaN",
		know.Progress | know.Speed | know.Work:    "true 1 1/4 7 NaN | true 0.5 128 3 | false | 2e+07 1.5e+07 NaN",
		know.Progress | know.Done | know.Estimate: "true 1 1/0 NaN NaN | false 0 0 0 | false | 2e+07 1.5e+07 NaN",
	} {
		got := ""
		p := play{cfg: Config{Speed: slowing()}, know: know,
			plan: map[Time][]Decision{0: {begin(0, 0)}, 15 * Second: {begin(1, 1)}}}
		p.look = func(v *View) {
			if v.Now() == 15*Second {
				got = read(v)
				if b := v.Job(0).Batches(); b != (BatchLimits{Initial: 128, Max: 512}) {
					t.Errorf("batches %+v", b)
				}
			}
		}
		p.mustRun(t, 5, Job{GPUs: 1, Work: 30 * Second, BatchSize: 128}, Job{GPUs: 1, MaxGPUs: 4, Work: Second})
		if got != want {
			t.Errorf("knowing %v: %s, want %s", know, got, want)
		}
	}
	if s := (know.Progress | know.Speed).String(); s != "speed+progress" {
		t.Errorf("knowledge %s", s)
	}
	// The end of a job as its last mark is hidden from policies that may not know the work.
	for know, want := range map[know.Set]float64{know.Progress: math.Inf(1), know.Progress | know.Work: 20e6} {
		p := play{cfg: Config{Speed: slowing()}, know: know,
			plan: map[Time][]Decision{0: {begin(0, 0)}, 12 * Second: {}}}
		p.look = func(v *View) {
			if v.Now() == 12*Second && v.Run(0).NextMark() != want {
				t.Errorf("knowing %v the next mark is %v, want %v", know, v.Run(0).NextMark(), want)
			}
		}
		p.mustRun(t, 1, Job{GPUs: 1, Work: 20 * Second})
	}
}

// A model without marks reports nothing, and its jobs have none.
func TestNotProgressive(t *testing.T) {
	p := play{know: know.Progress | know.Speed, plan: map[Time][]Decision{0: {begin(0, 0)}, Second: {}}}
	p.look = func(v *View) {
		if _, ok := v.Run(0).Telemetry(); ok || v.Job(0).Batches() != (BatchLimits{}) || v.Now() == Second &&
			!math.IsInf(v.Run(0).NextMark(), 1) {
			t.Errorf("telemetry %v, batches %+v, next mark %v", ok, v.Job(0).Batches(), v.Run(0).NextMark())
		}
	}
	p.mustRun(t, 1, Job{GPUs: 1, Work: 2 * Second})
}

// steady has telemetry, and no marks.
type steady struct{ counting }

func (steady) Telemetry(q *Query, t *Telemetry) bool { t.StepS = 3; return true }

func TestTelemetryAlone(t *testing.T) {
	p := play{cfg: Config{Speed: steady{}, MarkEvery: Second}, know: know.Progress,
		plan: map[Time][]Decision{0: {begin(0, 0)}, Second: {}}}
	p.look = func(v *View) {
		if a, ok := v.Run(0).Telemetry(); v.Now() == Second && (!ok || a.StepS != 3 || !math.IsNaN(a.ItersLeft)) {
			t.Errorf("telemetry %+v, %v", a, ok)
		}
	}
	o := p.mustRun(t, 1, Job{GPUs: 1, Work: 2*Second + 1})
	same(t, "events", o.events, "0s arrive 0", "2.000001s finish 0")
}

// A watch of progress crosses when the work is done, at other speeds too, and at the mark for what
// is the mark rounded up. On a job that does not reach its bound nothing crosses.
func TestWatchOfProgress(t *testing.T) {
	watch := func(bound Time) Decision { return Decision{Kind: Watch, Counter: Progress, Bound: bound} }
	for _, c := range []struct {
		name   string
		speed  SpeedModel
		plan   map[Time][]Decision
		events []string
	}{
		{"counting", counting{}, map[Time][]Decision{0: {begin(0, 0, 1), watch(5 * Second)}},
			[]string{"0s arrive 0", "2.5s cross 0", "12s finish 0"}},
		{"tuned", counting{}, map[Time][]Decision{0: {begin(0, 0, 1), watch(5 * Second)},
			Second: {{Kind: Tune, Knobs: Knobs{FreqFrac: .5}}}}, []string{"0s arrive 0", "4s cross 0", "23s finish 0"}},
		{"at a mark", slowing(), map[Time][]Decision{0: {begin(0, 0), watch(20 * Second)}},
			[]string{"0s arrive 0", "20s cross 0", "28s finish 0"}},
		{"beyond a mark", slowing(), map[Time][]Decision{0: {begin(0, 0), watch(21 * Second)}},
			[]string{"0s arrive 0", "22s cross 0", "28s finish 0"}},
		{"over a move", slowing(), map[Time][]Decision{0: {begin(0, 0), watch(21 * Second)}, 8 *
			Second: {{Kind: Migrate, GPUs: on(1)}}}, []string{"0s arrive 0", "22s cross 0", "28s finish 0"}},
		{"at the end", slowing(), map[Time][]Decision{0: {begin(0, 0), watch(24 * Second)}},
			[]string{"0s arrive 0", "28s finish 0"}},
		{"mark rounded up", epochal{1e6 / 3, []float64{1, 2}}, map[Time][]Decision{0: {begin(0, 0), watch(333334)}},
			[]string{"0s arrive 0", "0.333334s cross 0", "12.166667s finish 0"}},
		{"the first wins", slowing(), map[Time][]Decision{0: {begin(0, 0), watch(2 * Second)}, Second: {watch(Never)}},
			[]string{"0s arrive 0", "28s finish 0"}},
	} {
		n := int32(1)
		if len(c.plan[0][0].GPUs) == 2 {
			n = 2
		}
		o := play{cfg: Config{Speed: c.speed}, know: know.Progress, plan: c.plan}.mustRun(t, 2,
			Job{GPUs: n, Work: 24 * Second})
		same(t, c.name, o.events, c.events...)
	}
	for want, p := range map[string]play{
		"a watch of progress, expected a policy that declares know.Progress": {plan: map[Time][]Decision{0: {begin(0,
			0), watch(Second)}}},
		"bound 1000000 is not above the counter's 1000000": {know: know.Done,
			plan: map[Time][]Decision{0: {begin(0, 0)}, Second: {watch(Second)}}},
	} {
		if _, err := p.run(t, 1, Job{GPUs: 1, Work: 4 * Second}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
}

// A watch of the next mark, rounded up, is asked for at each crossing, as policies that follow
// epochs do. Where several marks lie within a microsecond of work, it crosses once at each of them,
// not at every instant until the next.
func TestWatchOfMarksWithinAMicrosecond(t *testing.T) {
	w := jobs(t, Job{GPUs: 1, Work: 1})
	e, err := New(Config{Speed: epochal{.2, []float64{1e-6, 1e-6, 1e-6, 1e-6, 1e-6}}, Workload: w,
		Topology: topology(t, 1, 1, 1, 1), MarkEvery: Second / 4, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	e.Permit(know.Progress)
	var crossed []Time
	ended := false
	for len(crossed) < 10 {
		v, ok, err := e.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		var out []Decision
		for _, ev := range v.Events() {
			switch ev.Kind {
			case Arrive:
				out = append(out, begin(0, 0), Decision{Kind: Watch, Counter: Progress, Bound: 1})
			case Finish:
				ended = true
			case Cross:
				crossed = append(crossed, v.Now())
				if m := v.Run(0).NextMark(); !math.IsInf(m, 1) {
					out = append(out, Decision{Kind: Watch, Counter: Progress,
						Bound: max(Time(math.Ceil(m)), Time(v.Run(0).Done())+1)})
				}
			}
		}
		if err := e.Apply(out); err != nil {
			t.Fatal(err)
		}
	}
	if want := []Time{Second / 4, Second / 2, 3 * Second / 4, Second}; !slices.Equal(crossed, want) || !ended {
		t.Errorf("the watch crossed at %v, expected at the marks, %v, and then the end of the job", crossed, want)
	}
}

// backwards is a model whose mark is already passed.
type backwards struct{ epochal }

func (backwards) Mark(q *Query) float64 { return q.Done }

func TestMarkFaults(t *testing.T) {
	p := play{cfg: Config{Speed: backwards{slowing()}}, plan: map[Time][]Decision{0: {begin(0, 0)}}}
	if _, err := p.run(t, 1, Job{GPUs: 1, Work: Second}); err == nil ||
		!strings.Contains(err.Error(), `job "0": speed model gave the mark 0 with 0 done, expected more than that`) {
		t.Error(err)
	}
	if _, err := New(Config{Workload: jobs(t), Topology: topology(t, 1, 1, 1, 1), Speed: counting{},
		MarkEvery: -1}); err == nil || !strings.Contains(err.Error(), "marks every -1e-06s, expected >= 0") {
		t.Error(err)
	}
	p = play{plan: map[Time][]Decision{0: {{Kind: Start, GPUs: on(0), Knobs: Knobs{AccumSteps: -1}}}}}
	if _, err := p.run(t, 1, Job{GPUs: 1, Work: Second}); err == nil ||
		!strings.Contains(err.Error(), "-1 micro-batches per update") {
		t.Error(err)
	}
	if err := (&Job{ID: "a", GPUs: 1, Work: 1, BatchSize: -1}).Check(); err == nil ||
		!strings.Contains(err.Error(), "a batch of -1 samples") {
		t.Error(err)
	}
}

// Copies have the mark of the first of them, and the sum of their speeds.
func TestMarksOfCopies(t *testing.T) {
	top := topology(t, 1, 2, 1, 1)
	p := play{cfg: Config{Speed: slowing(), Topology: top}, know: know.Progress,
		plan: map[Time][]Decision{0: {{Kind: Start, GPUs: on(0, 1), Knobs: Knobs{CopyFrac: .5}}}, Second: {}}}
	p.look = func(v *View) {
		if _, ok := v.Run(0).Telemetry(); ok {
			t.Error("copies have a telemetry")
		}
	}
	// 2 copies, of whose progress half counts: 20 s at 1, 4 s at 1/2
	o := p.mustRun(t, 2, Job{GPUs: 2, Work: 24 * Second})
	same(t, "events", o.events, "0s arrive 0", "28s finish 0")
}
