package stack_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/catalogue/speeds"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
	"tarry/sim/preset"
	"tarry/sim/simtest"
	"tarry/sim/speed"
	"tarry/sim/stack"
)

// scribe is a layer that writes down what it is asked, adds to the batch that the model below is
// asked about, and scales the speed.
type scribe struct {
	name       string
	add, scale float64
	log        *strings.Builder
}

func (l *scribe) Ask(q *sim.Query) {
	fmt.Fprintf(l.log, "%s? %v ", l.name, q.Batch)
	q.Batch += l.add
}

func (l *scribe) Answer(q *sim.Query, s *sim.Speed) float64 {
	fmt.Fprintf(l.log, "%s! %v %v ", l.name, q.Batch, s.Rate)
	s.Rate = s.Rate*l.scale + 1
	return l.scale
}

// idle is a layer that does nothing.
type idle struct{}

func (idle) Answer(*sim.Query, *sim.Speed) float64 { return 1 }

// asking is a layer that asks what it is asked.
type asking struct{ idle }

func (asking) Ask(*sim.Query) {}

// paced, differing and curious are layers with progress, with factors and with questions of their
// own.
type paced struct {
	idle
	mark float64
}

func (p paced) Mark(*sim.Query) float64        { return p.mark }
func (paced) Batches(*sim.Job) sim.BatchLimits { return sim.BatchLimits{Initial: 7} }
func (paced) Telemetry(_ *sim.Query, s sim.Speed, t *sim.Telemetry) bool {
	*t = sim.Telemetry{StepS: s.Rate, SyncS: 1}
	return s.Rate > 0
}

type differing struct{ idle }

func (differing) Class(string) int      { return 5 }
func (differing) Factors(int) []float64 { return []float64{3} }

type curious struct {
	idle
	below sim.SpeedModel
}

func (c *curious) Over(m sim.SpeedModel) { c.below = m }

// echo is a bottom that answers with the batch.
type echo struct{}

func (echo) Speed(q *sim.Query) (sim.Speed, error) {
	if q.Batch < 0 {
		return sim.Speed{}, errors.New("no such batch")
	}
	return sim.Speed{Rate: q.Batch, ComputeFrac: 1}, nil
}

// measured, linked and uneven are bottoms with times of a step, with links and with factors; both
// has links and factors.
type measured struct{ echo }

func (measured) Telemetry(q *sim.Query, t *sim.Telemetry) bool {
	t.StepS, t.SyncS, t.LoadS = 8, 4, 2
	return q.Batch != 99
}

type linked struct {
	echo
	calls string
}

func (l *linked) Place(q *sim.Query) error            { l.calls += fmt.Sprint("p", q.Batch); return nil }
func (l *linked) Remove(sim.JobID)                    { l.calls += "r" }
func (l *linked) Touched(dst []sim.JobID) []sim.JobID { l.calls += "t"; return append(dst, 4) }
func (l *linked) Reset()                              { l.calls += "0" }

type uneven struct{ echo }

func (uneven) Class(string) int      { return 3 }
func (uneven) Factors(int) []float64 { return []float64{1, 2} }

type both struct {
	*linked
	differing uneven
}

func (b both) Class(m string) int      { return b.differing.Class(m) }
func (b both) Factors(c int) []float64 { return b.differing.Factors(c) }

// on is a query about a job with that batch on GPUs.
func on(batch float64, gpus ...cluster.GPU) *sim.Query {
	return &sim.Query{Job: &sim.Job{ID: "j", GPUs: 1, Work: 100 * sim.Second}, ID: 1, GPUs: gpus,
		Knobs: sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: batch}}
}

// telemetry is what a model has of it.
func telemetry(m sim.SpeedModel, q *sim.Query) (out sim.Telemetry, ok bool) {
	ok = m.(interface {
		Telemetry(*sim.Query, *sim.Telemetry) bool
	}).Telemetry(q, &out)
	return out, ok
}

// Questions go down from the last layer, answers come up from the first; each layer sees its own
// question, and the caller's stays.
func TestOrderOfLayers(t *testing.T) {
	var log strings.Builder
	m := stack.New(echo{}, &scribe{"a", 1, 2, &log}, &scribe{"b", 10, 3, &log})
	q := on(100, 0)
	s, err := m.Speed(q)
	want := "b? 100 a? 110 a! 110 111 b! 100 223 "
	if log.String() != want || s.Rate != 670 || err != nil || q.Batch != 100 {
		t.Errorf("%q, rate %v (%v), the caller's batch %v, expected %q", log.String(), s.Rate, err, q.Batch, want)
	}
	log.Reset()
	m2 := stack.New(echo{}, &scribe{"b", 10, 3, &log}, &scribe{"a", 1, 2, &log})
	if s, err := m2.Speed(q); s.Rate != 2*334+1 || err != nil {
		t.Errorf("the other way round %v, %v", s, err)
	}
	log.Reset()
	if _, err := m.Speed(on(-200, 0)); err == nil || strings.Contains(log.String(), "!") {
		t.Errorf("an error below (%v) was answered: %q", err, log.String())
	}
	log.Reset()
	if s, err := m.Speed(on(5)); err != nil || s.Rate != 5 || log.Len() > 0 {
		t.Errorf("without GPUs %v, %v, %q", s, err, log.String())
	}
}

// A layer with questions of its own gets the layers below it and the bottom, whatever is above.
func TestBelow(t *testing.T) {
	var log strings.Builder
	first, third := &curious{}, &curious{}
	m := stack.New(measured{}, first, &scribe{"a", 1, 2, &log}, third, &scribe{"b", 10, 3, &log})
	if first.below != (measured{}) {
		t.Errorf("below the first layer is %T", first.below)
	}
	if s, err := third.below.Speed(on(100, 0)); err != nil || s.Rate != 203 {
		t.Errorf("below the third: %v, %v", s, err)
	}
	if got, ok := telemetry(third.below, on(100, 0)); !ok || got.StepS != 4 || got.SyncS != 2 || got.LoadS != 2 {
		t.Errorf("below the third: %+v, %v", got, ok)
	}
	if s, err := m.Speed(on(100, 0)); err != nil || s.Rate != 670 {
		t.Errorf("%v, %v", s, err)
	}
}

// What a stack has beside speeds is what a layer or the bottom has, and no more.
func TestAbilities(t *testing.T) {
	for name, base := range map[string]sim.SpeedModel{"plain": echo{}, "measured": measured{}, "linked": &linked{},
		"uneven": uneven{}, "both": both{linked: &linked{}}, "in epochs": simtest.Progressing(echo{})} {
		if got := stack.New(base); got != base {
			t.Errorf("%s without layers is %T", name, got)
		}
		_, isStack := stack.Of(base)
		for with, layer := range map[string]stack.Layer{"nothing": idle{}, "factors": differing{},
			"progress": paced{mark: 9}} {
			m := stack.New(base, asking{}, layer, &curious{})
			_, coupled := m.(sim.Coupled)
			_, wants := base.(sim.Coupled)
			_, util := m.(interface{ LinkUtil() float64 })
			differ, differs := m.(sim.Variability)
			_, had := base.(sim.Variability)
			prog := sim.AsProgressive(m)
			if of, ok := stack.Of(m); !ok || of.Base != base || len(of.Layers) != 3 || isStack {
				t.Errorf("%s with %s: no stack of three over its base", name, with)
			}
			if coupled != wants || util != wants || differs != (had || with == "factors") ||
				(prog != nil) != (name == "in epochs" || with == "progress") {
				t.Errorf("%s with %s: coupled %v, use of links %v, differs %v, progress %v",
					name, with, coupled, util, differs, prog)
			}
			if differs && differ.Class("") != map[bool]int{true: 5, false: 3}[with == "factors"] {
				t.Errorf("%s with %s: class %d", name, with, differ.Class(""))
			}
			told, knows := telemetry(m, on(2, 0))
			if knows != (name == "measured" || name == "in epochs" || with == "progress") ||
				with == "progress" && name == "plain" && told.StepS != 2 {
				t.Errorf("%s with %s: telemetry %v %+v", name, with, knows, told)
			}
		}
	}
}

// The next mark is the earliest of the layers' and the bottom's; batches are the last layer's, else
// the bottom's.
func TestMarks(t *testing.T) {
	base := sim.AsProgressive(simtest.Progressing(echo{}))
	q := on(2, 0)
	own := base.Mark(q)
	for _, c := range []struct {
		layers []stack.Layer
		mark   float64
		batch  int32
	}{
		{[]stack.Layer{idle{}}, own, base.Batches(q.Job).Initial},
		{[]stack.Layer{paced{mark: 3}, paced{mark: math.Inf(1)}}, 3, 7},
		{[]stack.Layer{paced{mark: math.Inf(1)}}, own, 7},
	} {
		p := sim.AsProgressive(stack.New(base, c.layers...))
		if got := p.Mark(q); got != c.mark || p.Batches(q.Job).Initial != c.batch {
			t.Errorf("%v: mark %v, batches %+v; expected %v, %d", c.layers, got, p.Batches(q.Job), c.mark, c.batch)
		}
	}
}

// Times of a step follow the layers above what measures them; there is none where nothing measures,
// without GPUs, and without a speed.
func TestTelemetry(t *testing.T) {
	var log strings.Builder
	half, third := &scribe{"a", 0, 0.5, &log}, &scribe{"b", 0, 0.25, &log}
	got, ok := telemetry(stack.New(measured{}, half, third), on(2, 0))
	if !ok || got.StepS != 64 || got.SyncS != 32 || got.LoadS != 2 {
		t.Errorf("%+v, %v, expected steps of 8 s to take 64", got, ok)
	}
	got, ok = telemetry(stack.New(measured{}, half, paced{}, third), on(2, 0))
	if !ok || got.StepS != 8 || got.SyncS != 4 {
		t.Errorf("%+v, %v, expected the layer's 2 s to take 8", got, ok)
	}
	for name, c := range map[string]struct {
		m sim.SpeedModel
		q *sim.Query
	}{
		"no meter":     {stack.New(echo{}, half), on(2, 0)},
		"no GPUs":      {stack.New(measured{}, half), on(2)},
		"no speed":     {stack.New(measured{}, half), on(-1, 0)},
		"unknown":      {stack.New(measured{}, half), on(99, 0)},
		"a layer's no": {stack.New(measured{}, paced{}), on(0, 0)},
	} {
		if got, ok := telemetry(c.m, c.q); ok {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Links see the question that reaches the bottom.
func TestLinks(t *testing.T) {
	for _, over := range []stack.Layer{idle{}, differing{}} {
		base := &linked{}
		m := stack.New(base, &scribe{"a", 1, 2, &strings.Builder{}}, over).(sim.Coupled)
		m.Reset()
		err := m.Place(on(100, 0))
		m.Remove(1)
		if got := m.Touched(nil); err != nil || !slices.Equal(got, []sim.JobID{4}) || base.calls != "0p101rt" {
			t.Errorf("%v, touched %v, calls %q", err, got, base.calls)
		}
		if u := m.(interface{ LinkUtil() float64 }).LinkUtil(); !math.IsNaN(u) {
			t.Errorf("use of links %v, expected NaN: the bottom does not say", u)
		}
	}
}

// rival is a scheduler of the catalogue.
func rival(t testing.TB, spec string) sim.Policy {
	t.Helper()
	_, build, err := shipped.All().Policies.Parse(spec, cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	p, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// small is a run of 40 jobs on 16 GPUs, its speed model not yet made.
func small(t testing.TB) (cfg sim.Config, model func(name string) sim.SpeedModel) {
	t.Helper()
	var jobs []sim.Job
	for i := range 40 {
		jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), GPUs: 1 + int32(i*7%5),
			Model:  []string{"vgg16", "resnet50", "bert-large"}[i%3],
			Submit: sim.Time(i*13%97) * sim.Second, Work: sim.Time(60+i*31%400) * sim.Second})
	}
	w, err := sim.NewWorkload("w", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(2, 2, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	return sim.Config{Workload: w, Topology: top, Check: true}, func(name string) sim.SpeedModel {
		m, err := speeds.All().Parse(name, speed.Env{Topology: top, Fabric: preset.NVLinkFabric(),
			Models: models.NewSet(models.Catalogue()...)})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
}

// Layers that do nothing change no byte of a run, over models with and without links and progress.
func TestIdleLayersChangeNothing(t *testing.T) {
	cfg, model := small(t)
	for _, name := range []string{"counting", "tiers", "collective", "contended", "in epochs"} {
		for _, policy := range []string{"fifo", "dally", "tiresias"} {
			run := func(layers ...stack.Layer) string {
				cfg := cfg
				if name == "in epochs" {
					cfg.Speed = stack.New(simtest.Progressing(model("contended")), layers...)
				} else {
					cfg.Speed = stack.New(model(name), layers...)
				}
				text, err := simtest.Transcript(cfg, rival(t, policy))
				if err != nil {
					t.Fatal(err)
				}
				return text
			}
			if want, got := run(), run(idle{}, asking{}, &curious{}); got != want {
				t.Errorf("%s over %s differs:\n%s\nwithout layers:\n%s", policy, name, got, want)
			}
		}
	}
}

// A run continues from a snapshot as it did, into an engine with a stack of its own, and twice.
func TestSnapshot(t *testing.T) {
	cfg, model := small(t)
	engine := func() *sim.Engine {
		cfg := cfg
		cfg.Speed = stack.New(simtest.Progressing(model("contended")), asking{},
			&scribe{"a", 1, 0.5, &strings.Builder{}})
		e, err := sim.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	drive := func(e *sim.Engine, p sim.Policy, events int) string {
		e.Permit(p.Knows())
		for i := 0; i < events; i++ {
			v, ok, err := e.Next()
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			if err := e.Apply(p.Decide(v, nil)); err != nil {
				t.Fatal(err)
			}
		}
		var b strings.Builder
		for i := range cfg.Workload.Jobs {
			fmt.Fprintln(&b, e.Record(sim.JobID(i)))
		}
		return b.String()
	}
	first, p := engine(), rival(t, "dally")
	drive(first, p, 30)
	at, then := first.Snapshot(), p.(interface{ Clone() sim.Policy }).Clone()
	want := drive(first, p, math.MaxInt)
	for i := range 2 {
		e := engine()
		if err := e.Restore(at); err != nil {
			t.Fatal(err)
		}
		if got := drive(e, then.(interface{ Clone() sim.Policy }).Clone(), math.MaxInt); got != want {
			t.Errorf("restored for the %d. time:\n%s\nexpected:\n%s", i+1, got, want)
		}
	}
}

// Nothing is allocated once a stack is warm.
func TestNothingIsAllocated(t *testing.T) {
	m := stack.New(measured{}, asking{}, differing{}, paced{mark: 3}, asking{}, &curious{}, idle{})
	q, p, told := on(2, 0, 1), sim.AsProgressive(m), sim.Telemetry{}
	if n := testing.AllocsPerRun(100, func() {
		_, _ = m.Speed(q)
		_ = sim.AsProgressive(m).Mark(q)
		_ = p.Telemetry(q, &told)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
