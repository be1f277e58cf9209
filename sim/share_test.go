package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/sim/know"
)

// witness answers like a model and writes down what it was asked.
type witness struct {
	SpeedModel
	asked []string
}

func (s *witness) Speed(q *Query) (Speed, error) {
	beside := []JobID{}
	for _, p := range q.Peers {
		beside = append(beside, p.ID)
	}
	s.asked = append(s.asked, fmt.Sprintf("%d on %v share %d clock %v batch %v beside %v", q.ID, q.GPUs, q.ShareMilli,
		q.FreqFrac, q.Batch, beside))
	return s.SpeedModel.Speed(q)
}

// Peers on a GPU are asked again when a job joins, leaves or is tuned, and no other job is. crowded
// halves the speed of a job that is not alone.
func TestPeersAreAskedAgain(t *testing.T) {
	half := func(submit, work Time) Job {
		return Job{GPUs: 1, ShareMilli: 500, Work: work * Second, Submit: submit * Second}
	}
	s := &witness{SpeedModel: crowded{}}
	p := play{cfg: Config{Speed: s}, plan: map[Time][]Decision{0: {begin(0, 0), begin(1, 1)}, 2 *
		Second: {begin(2, 0)}}}
	// Job 0: 2 s at 1/2, then beside job 2 at 1/4 until that has done 1 s of work, at 6 s; 2 of 4 s
	// are left: ends at 10 s.
	o := p.mustRun(t, 2, half(0, 4), half(0, 30), half(2, 1))
	same(t, "events", o.events[3:], "6s finish 2", "10s finish 0", "60s finish 1")
	same(t, "asked", s.asked,
		"0 on [0] share 500 clock 1 batch 1 beside []", "1 on [1] share 500 clock 1 batch 1 beside []", // 0 s
		// 2 s: job 2 joins
		"2 on [0] share 500 clock 1 batch 1 beside [0]", "0 on [0] share 500 clock 1 batch 1 beside [2]",
		"0 on [0] share 500 clock 1 batch 1 beside []") // 6 s: job 2 leaves

	s = &witness{SpeedModel: crowded{}}
	p = play{cfg: Config{Speed: s}, plan: map[Time][]Decision{0: {begin(1, 0), begin(0, 0)},
		Second: {{Kind: Tune, Job: 1, Knobs: Knobs{ShareMilli: 300, FreqFrac: .5, Batch: 2}}}}}
	p.mustRun(t, 1, half(0, 1), half(0, 1))
	same(t, "asked by Tune", s.asked[3:5], // both are asked, the tuned job with what it has now
		"0 on [0] share 500 clock 1 batch 1 beside [1]", "1 on [0] share 300 clock 0.5 batch 2 beside [0]")
}

// Peers are in the order of their numbers, not of their starts.
func TestPeersAscend(t *testing.T) {
	third := Job{GPUs: 1, ShareMilli: 300, Work: Second}
	s := &witness{SpeedModel: counting{}}
	play{cfg: Config{Speed: s}, plan: map[Time][]Decision{0: {begin(2, 0), begin(0, 0), begin(1, 0)}}}.mustRun(t, 1,
		third, third, third)
	same(t, "asked", s.asked[:3], "2 on [0] share 300 clock 1 batch 1 beside []",
		"0 on [0] share 300 clock 1 batch 1 beside [2]",
		"1 on [0] share 300 clock 1 batch 1 beside [0 2]")
}

// What a Start states holds for that run; a job of no share has whole GPUs at the nominal clock and
// batch.
func TestOptionsOfAStart(t *testing.T) {
	s := &witness{SpeedModel: counting{}}
	p := play{cfg: Config{Speed: s}, plan: map[Time][]Decision{
		0: {{Kind: Start, GPUs: on(0), Knobs: Knobs{ShareMilli: 700, FreqFrac: .5, Batch: 4}},
			{Kind: Start, Job: 1, GPUs: on(1), Knobs: Knobs{ShareMilli: 300}}},
		Second: {{Kind: Preempt}, begin(0, 0)}}}
	p.mustRun(t, 2, Job{GPUs: 1, Work: Second}, Job{GPUs: 1, ShareMilli: 500, Work: Second})
	same(t, "asked", s.asked, "0 on [0] share 700 clock 0.5 batch 4 beside []",
		"1 on [1] share 300 clock 1 batch 1 beside []", "0 on [0] share 1000 clock 1 batch 1 beside []")
}

// A job whose checkpoint is being written keeps that as its next event, although its neighbour
// leaves.
func TestDrainingBesideAJobThatEnds(t *testing.T) {
	half := Job{GPUs: 1, ShareMilli: 500, Work: Second}
	p := play{cfg: Config{Costs: Costs{Checkpoint: Cost{FixedS: 3}}}, plan: map[Time][]Decision{
		0: {begin(0, 0), begin(1, 0)}, Second: {{Kind: Preempt}}, 6 * Second: {begin(0, 0)}}}
	// Half of job 0's work is done at 1 s, its checkpoint is there at 4 s, the rest takes 1 s from
	// 6 s on. Job 1 ends at 2 s.
	o := p.mustRun(t, 1, half, half)
	same(t, "events", o.events[2:], "2s finish 1", "4s drained 0", "7s finish 0")
	same(t, "life", []string{o.life(0)}, "done: start 0s end 7s queue 2s run 2s overhead 3s lost 0s in 0s")
}

// GPUs go back one share at a time: the GPU is in use, by whom is left, until the last one goes.
func TestSharesComeBack(t *testing.T) {
	var got []string
	third := func(work Time) Job { return Job{GPUs: 1, ShareMilli: 300, Work: work * 300 * Second / 1000} }
	p := play{plan: map[Time][]Decision{0: {begin(0, 0), begin(1, 0), begin(2, 0)}}}
	p.look = func(v *View) {
		got = append(got, fmt.Sprintf("%v: job %d first, %d in use, free %v", v.Now(), v.Owner(0), v.Share(0),
			v.Free().Has(0)))
	}
	p.mustRun(t, 1, third(1), third(2), third(3))
	same(t, "GPU 0", got, "0s: job -1 first, 0 in use, free true", "1s: job 1 first, 600 in use, free false",
		"2s: job 2 first, 300 in use, free false",
		"3s: job -1 first, 0 in use, free true")
}

// company is a coupled model: all that run slow one another down. It checks that the engine reports
// each once.
type company struct {
	log     []string
	here    []JobID
	touched []JobID
}

func (c *company) Speed(q *Query) (Speed, error) {
	return Speed{Rate: 1 / float64(max(1, len(c.here))), ComputeFrac: 1}, nil
}

func (c *company) Place(q *Query) error {
	c.log = append(c.log, fmt.Sprintf("place %d on %v", q.ID, q.GPUs))
	c.here = append(c.here, q.ID)
	c.touched = append(c.touched, c.here...)
	return nil
}

func (c *company) Remove(id JobID) {
	c.log = append(c.log, fmt.Sprintf("remove %d", id))
	c.here = slices.DeleteFunc(c.here, func(x JobID) bool { return x == id })
	c.touched = append(c.touched, c.here...)
}

func (c *company) Touched(dst []JobID) []JobID {
	slices.Sort(c.touched)
	dst = append(dst, slices.Compact(c.touched)...)
	c.touched = c.touched[:0]
	return dst
}

func (c *company) Reset() {
	c.log = append(c.log, "reset")
	c.here, c.touched = nil, nil
}

// A coupled model hears of every start, stop and move, and those whom it names are asked again.
func TestCoupledModel(t *testing.T) {
	c := &company{}
	p := play{cfg: Config{Speed: c}, plan: map[Time][]Decision{0: {begin(0, 0)}, 2 * Second: {begin(1, 1)}, 4 *
		Second: {{Kind: Migrate, Job: 1, GPUs: on(2)}},
		6 * Second: {{Kind: Preempt, Job: 1}}, 8 * Second: {begin(1, 1)}}}
	// Job 0: 2 s alone, 4 s at 1/2, 2 s alone: 6 of 7 s at 8 s, and the last beside job 1 takes 2
	// s. Job 1 then has done 2 + 1 of 5 s.
	o := p.mustRun(t, 3, Job{GPUs: 1, Work: 7 * Second}, Job{GPUs: 1, Work: 5 * Second})
	same(t, "events", o.events[2:], "10s finish 0", "12s finish 1")
	same(t, "told", c.log, "reset", "place 0 on [0]", "place 1 on [1]", "remove 1", "place 1 on [2]", "remove 1",
		"place 1 on [1]", "remove 0", "remove 1")
}

// An engine that is restored gives a coupled model the running jobs; no saved rate is asked for
// again.
func TestCoupledModelIsToldAgain(t *testing.T) {
	c := &company{}
	top := topology(t, 1, 1, 2, 1)
	e, err := New(Config{Workload: jobs(t, Job{GPUs: 1, Work: 7 * Second}, Job{GPUs: 1, Work: 5 * Second}),
		Topology: top, Speed: c, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	step := func(ds ...Decision) {
		if _, ok, err := e.Next(); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if err := e.Apply(ds); err != nil {
			t.Fatal(err)
		}
	}
	step(begin(0, 0), begin(1, 1))
	snap := e.Snapshot()
	for range 2 {
		c.log = nil
		if err := e.Restore(snap); err != nil {
			t.Fatal(err)
		}
		same(t, "told", c.log, "reset", "place 0 on [0]", "place 1 on [1]")
		step() // at half speed job 1 ends at 10 s
		if e.Now() != 10*Second || e.Record(1).State != Done {
			t.Errorf("at %v job 1 is %v, expected done at 10 s", e.Now(), e.Record(1).State)
		}
	}
}

// answering is a model that gives one answer.
type answering struct {
	s   Speed
	err error
}

func (a answering) Speed(*Query) (Speed, error) { return a.s, a.err }

// An answer that is no speed ends the run and names the job, as does a model's own error.
func TestImpossibleSpeeds(t *testing.T) {
	for _, c := range []struct {
		a    answering
		want string
	}{
		{answering{s: Speed{Rate: -1, ComputeFrac: 1}},
			`start of job "0": job "0": speed model gave rate -1, compute fraction 1 on 1 GPUs, expected rate >= 0`},
		{answering{s: Speed{Rate: math.NaN(), ComputeFrac: 1}}, "rate NaN"},
		{answering{s: Speed{Rate: 2e12, ComputeFrac: 1}}, "rate 2e+12"},
		{answering{s: Speed{Rate: 1, ComputeFrac: 0}}, "compute fraction 0"},
		{answering{s: Speed{Rate: 1, ComputeFrac: 1.5}}, "compute fraction 1.5"},
		{answering{s: Speed{Rate: 5, ComputeFrac: 1}, err: errors.New("no such shape")}, `job "0": no such shape`},
	} {
		p := play{cfg: Config{Speed: c.a}, plan: map[Time][]Decision{0: {begin(0, 0)}}}
		if _, err := p.run(t, 1, Job{GPUs: 1, Work: Second}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, expected %q", err, c.want)
		}
		p.know, p.plan = know.Speed, nil
		p.look = func(v *View) {
			if s := v.Predict(0, Placement{GPUs: on(0)}); c.a.err != nil && s != (Speed{}) {
				t.Errorf("predicted %v where the model has no answer, expected the zero speed", s)
			}
		}
		if _, err := p.run(t, 1, Job{GPUs: 1, Work: Second}); err != nil { // a prediction does not end a run
			t.Error(err)
		}
	}
}

// A speed so low that the end is beyond all time leaves the job running until the run is cut short.
func TestSlowestJob(t *testing.T) {
	p := play{cfg: Config{Speed: answering{s: Speed{Rate: 1e-12, ComputeFrac: 1}}, Until: 100 * Second},
		plan: map[Time][]Decision{0: {begin(0, 0)}}}
	o := p.mustRun(t, 1, Job{GPUs: 1, Work: maxTime})
	same(t, "life", []string{o.life(0)}, "running: start 0s end never queue 0s run 100s overhead 0s lost 0s in 0s")
}

// peering writes down who runs beside the job that it is asked about, and answers for all.
type peering struct{ said []string }

func (s *peering) Speed(q *Query) (Speed, error) {
	for _, p := range q.Peers {
		s.said = append(s.said, fmt.Sprintf("%s beside %s %d %s on %v: %d %v", q.Job.ID, p.Job.ID, p.ID, p.Job.Model,
			p.GPUs, p.ShareMilli, p.Batch))
	}
	return Speed{Rate: 1, ComputeFrac: 1}, nil
}

// A speed model sees the jobs beside one with their models and what they hold, at a start, after a
// Tune and in a prediction.
func TestPeersAreShown(t *testing.T) {
	s := &peering{}
	half := func(model string) Job { return Job{GPUs: 2, Model: model, Work: 10 * Second} }
	p := play{cfg: Config{Speed: s}, know: know.Speed, plan: map[Time][]Decision{0: {{Kind: Start, GPUs: on(0, 1),
		Knobs: Knobs{ShareMilli: 500}}, {Kind: Start, Job: 1, GPUs: on(1, 2), Knobs: Knobs{ShareMilli: 500, Batch: 3}}},
		Second: {{Kind: Tune, Job: 1, Knobs: Knobs{ShareMilli: 400}}}}}
	p.look = func(v *View) {
		if v.Now() == Second {
			v.Predict(2, Placement{GPUs: on(0, 2), Alone: true}) // states nothing
			v.Predict(2, Placement{GPUs: on(0, 2)})
		}
	}
	p.mustRun(t, 3, half("a"), half("b"), half("c"))
	same(t, "said", s.said[:6], "1 beside 0 0 a on [0 1]: 500 1", "0 beside 1 1 b on [1 2]: 500 3",
		"2 beside 0 0 a on [0 1]: 500 1", "2 beside 1 1 b on [1 2]: 500 3",
		"0 beside 1 1 b on [1 2]: 400 3", "1 beside 0 0 a on [0 1]: 500 1")
}

// What a job would do beside another is asked of a pair with the rest of each GPU, whatever runs
// there now.
func TestPredictBeside(t *testing.T) {
	s, asked := &peering{}, 0
	p := play{cfg: Config{Speed: s}, know: know.Speed, plan: map[Time][]Decision{0: {begin(0, 0, 1)}}}
	p.look = func(v *View) {
		if s.said = nil; asked == 0 {
			if got := v.Predict(2, Placement{GPUs: on(1, 2), Knobs: Knobs{ShareMilli: 300},
				Fresh: true, Alone: true, Mate: Peer{ID: 1, GPUs: on(1, 2),
					Knobs: Knobs{ShareMilli: 700}}}); got.Rate != 1 {
				t.Errorf("%v", got)
			}
			same(t, "said", s.said, "c beside b 1 b on [1 2]: 700 1")
		}
		asked++
	}
	js := []Job{{ID: "a", GPUs: 2, Model: "a", Work: 10 * Second}, {ID: "b", GPUs: 2, Model: "b", Work: Second},
		{ID: "c", GPUs: 2, Model: "c", Work: Second}}
	p.cfg.Until = Second
	if _, err := p.run(t, 3, js...); err != nil {
		t.Fatal(err)
	}
	p.know, p.look = know.Nothing, func(v *View) {
		if got := v.Predict(2, Placement{GPUs: on(1, 2), Knobs: Knobs{ShareMilli: 300},
			Fresh: true, Alone: true, Mate: Peer{ID: 1, GPUs: on(1, 2),
				Knobs: Knobs{ShareMilli: 700}}}); got != (Speed{}) {
			t.Errorf("%v without know.Speed", got)
		}
	}
	if _, err := p.run(t, 3, js...); err != nil {
		t.Fatal(err)
	}
}

// idling answers with the share that it is asked for, ten times as much to a job that a coupled
// model has not placed.
type idling struct{ company }

func (*idling) Speed(q *Query) (Speed, error) {
	r := float64(q.ShareMilli) * q.Batch / 1000
	if q.ID == NoJob {
		r *= 10
	}
	return Speed{Rate: r, ComputeFrac: 1}, nil
}

// What a job would do in an idle cluster depends neither on what it holds, and with which knobs,
// nor on others and on links shared with them.
func TestPredictIdle(t *testing.T) {
	for i, m := range []SpeedModel{&idling{}, answering{s: Speed{Rate: 10, ComputeFrac: 1}}} {
		p := play{cfg: Config{Speed: m, Until: 2 * Second}, know: know.Speed,
			plan: map[Time][]Decision{0: {{Kind: Start, GPUs: on(0, 1), Knobs: Knobs{ShareMilli: 500, Batch: 3}}}}}
		p.look = func(v *View) {
			if got := v.Predict(0, Placement{GPUs: on(0, 1), Idle: true}); got.Rate != 10 {
				t.Errorf("model %d at %v: %v, expected a rate of 10", i, v.Now(), got)
			}
		}
		if _, err := p.run(t, 2, Job{GPUs: 2, Work: 100 * Second}); err != nil {
			t.Fatal(err)
		}
		p.know, p.look = know.Nothing, func(v *View) {
			if got := v.Predict(0, Placement{GPUs: on(0, 1), Idle: true}); got != (Speed{}) {
				t.Errorf("%v without know.Speed", got)
			}
		}
		if _, err := p.run(t, 2, Job{GPUs: 2, Work: 100 * Second}); err != nil {
			t.Fatal(err)
		}
	}
}

// Where jobs share GPUs nothing is allocated once warm, for starts, ends and the queries about
// them.
func TestSharedGPUsAllocateNothing(t *testing.T) {
	js := make([]Job, 8000)
	for i := range js {
		js[i] = Job{GPUs: 1, ShareMilli: 250, Work: Time(1+i%5) * Second, Submit: Time(i) * Second}
	}
	e, err := New(Config{Workload: jobs(t, js...), Topology: topology(t, 1, 1, 2, 1), Speed: crowded{}})
	if err != nil {
		t.Fatal(err)
	}
	gpus, out := on(0), make([]Decision, 0, 8)
	step := func() {
		v, ok, err := e.Next()
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		out = out[:0]
		for _, ev := range v.Events() {
			if ev.Kind == Arrive && v.Share(0) <= 750 {
				out = append(out, Decision{Kind: Start, Job: ev.Job, GPUs: gpus})
			}
		}
		if err := e.Apply(out); err != nil {
			t.Fatal(err)
		}
	}
	for range 2000 {
		step()
	}
	if n := testing.AllocsPerRun(4000, step); n != 0 {
		t.Errorf("%v allocations per instant, want none", n)
	}
}
