package variants

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/baselines/contest"
	"tarry/baselines/dally"
	"tarry/baselines/ranked"
	"tarry/baselines/score"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest/hand"
)

// hours is a busy workload on 32 GPUs; times in minutes and hours.
func hours(t testing.TB, seed uint64, jobs int) sim.Config {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	top, err := cluster.New(cluster.Uniform(2, 4, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	list, at := []sim.Job(nil), 0.0
	for i := range jobs {
		at += r.ExpFloat64() * 700
		gpus := 1 << r.IntN(5)
		work := float64(gpus) * 1800 * math.Exp(1.5*r.NormFloat64())
		list = append(list, sim.Job{ID: fmt.Sprint(i), Submit: sim.Seconds(at), GPUs: int32(gpus),
			Work: sim.Seconds(work)})
	}
	w, err := sim.NewWorkload("drawn", list)
	if err != nil {
		t.Fatal(err)
	}
	return sim.Config{Workload: w, Topology: top, Speed: hand.ByLevel{Top: top},
		Costs: sim.Costs{Checkpoint: sim.Cost{FixedS: 20}, Restore: sim.Cost{FixedS: 40}}}
}

// forgetful asks the function for every key at every instant.
type forgetful struct{ *ranked.Ranker }

func (f forgetful) Begin(v *sim.View, asked int) bool { f.Ranker.Begin(v, asked); return true }

func (f forgetful) Rank(v *sim.View, j sim.JobID) (float64, sim.Time) {
	f.Forget()
	return f.Ranker.Rank(v, j)
}

// Scores that are remembered equal the function's results.
func TestRememberedScoresHold(t *testing.T) {
	some := map[string]bool{}
	for _, text := range []string{all, "features=rank:1+age:-0.3,preempt=false",
		"features=wait:-1+pressure_gpus:1+running:-0.5,margin=0.2", "features=exposed:1+slowed:2+attained:1",
		"weights=testdata/hidden.txt", "features=rank:1", "features=left:1+gpus:0.3+pressure_request:0.5"} {
		for seed := range uint64(3) {
			s := param.Parse("", text)
			rule := ranked.ReadRule(s)
			c := dally.Default()
			c.NoLease = !s.Bool("preempt", true)
			plain := ranked.ByRule(c.Config, rule, dally.Tuned)
			c.Evict, c.MinRun, c.Margin = true, rule.Globals.MinRun, rule.Globals.Margin
			asks := contest.NewRanked(c.Config, c.Timers(), forgetful{ranked.New(rule.Func.Clone(),
				ranked.NewReader(rule, sim.Seconds(c.LeaseS)))})
			cfg := hours(t, seed, 300)
			got, want := hand.Records(t, cfg, plain), hand.Records(t, cfg, asks)
			if !slices.Equal(got, want) {
				t.Errorf("%s, seed %d: the records differ", text, seed)
			}
			some[fmt.Sprint(got)] = true
		}
	}
	if len(some) != 21 {
		t.Errorf("%d of 21 runs are different ones: some features do nothing", len(some))
	}
}

// waves are speeds that a job has by turns as it gets on: a third at every second 600 s of work.
type waves struct{ hand.ByLevel }

func (w waves) Speed(q *sim.Query) (sim.Speed, error) {
	s, err := w.ByLevel.Speed(q)
	if int(q.Done/600e6)%2 == 1 {
		s.Rate, s.ComputeFrac = s.Rate/3, s.ComputeFrac/3
	}
	return s, err
}

func (waves) Mark(q *sim.Query) float64                 { return (math.Floor(q.Done/600e6) + 1) * 600e6 }
func (waves) Telemetry(*sim.Query, *sim.Telemetry) bool { return false }
func (waves) Batches(*sim.Job) sim.BatchLimits          { return sim.BatchLimits{} }

// So they do where the speed of a job changes as it gets on, without an event.
func TestRememberedScoresHoldUnderProgress(t *testing.T) {
	for _, text := range []string{"features=exposed:1+slowed:2+attained:1", "features=rank:1", "features=attained:1"} {
		evicted := 0
		for seed := range uint64(6) {
			rule := ranked.ReadRule(param.Parse("", text))
			c := dally.Default()
			c.NoLease, c.Evict = true, true
			asks := contest.NewRanked(c.Config, c.Timers(), forgetful{ranked.New(rule.Func.Clone(),
				ranked.NewReader(rule, sim.Seconds(c.LeaseS)))})
			keeps := contest.NewRanked(c.Config, c.Timers(), ranked.New(rule.Func.Clone(),
				ranked.NewReader(rule, sim.Seconds(c.LeaseS))))
			cfg := hours(t, seed, 300)
			cfg.Speed = waves{hand.ByLevel{Top: cfg.Topology}}
			got, want := hand.Records(t, cfg, keeps), hand.Records(t, cfg, asks)
			if !slices.Equal(got, want) {
				t.Errorf("%s, seed %d: the records differ", text, seed)
			}
			for _, r := range want {
				evicted += int(r.Preemptions)
			}
		}
		if evicted < 20 {
			t.Errorf("%s: %d evictions, expected a test of them", text, evicted)
		}
	}
}

// With weights of 0 all jobs tie, and what is left is the order of arrival, or of the longest wait.
func TestZeroWeights(t *testing.T) {
	for seed := range uint64(4) {
		cfg := hours(t, seed, 300)
		run := func(text string) []sim.Record {
			return hand.Records(t, cfg, build(t, makeRanked, "features=rank:0+age:0+pressure_rank:0,"+text)())
		}
		c := dally.Default()
		c.Order, c.TiesBySubmit = contest.FirstCome(), true
		if !slices.Equal(run("ties=submit,margin=inf"), hand.Records(t, cfg, dally.NewPolicy(c, nil))) {
			t.Errorf("seed %d: ties by submit are not the order of arrival", seed)
		}
		if !slices.Equal(run("ties=submit"), run("ties=submit,margin=inf")) {
			t.Errorf("seed %d: a job was evicted among equals", seed)
		}
		if slices.Equal(run("ties=waited"), run("ties=submit")) {
			t.Errorf("seed %d: the ties make no difference", seed)
		}
	}
}

// A larger margin evicts less, and an endless one no job.
func TestMargin(t *testing.T) {
	cfg := hours(t, 7, 400)
	last := math.MaxInt
	for _, margin := range []string{"0", "1", "3", "inf"} {
		n := 0
		for _, r := range hand.Records(t, cfg, build(t, makeRanked,
			"preempt=false,median_s=1800,spread=1.5,margin="+margin)()) {
			n += int(r.Preemptions)
		}
		if n > last || margin == "0" && n == 0 || margin == "inf" && n != 0 {
			t.Errorf("margin %s: %d preemptions, %d before", margin, n, last)
		}
		last = n
	}
}

// The rank of a job that runs on beyond what the law expects grows, and a job not yet begun is
// ranked by the law alone.
func TestRankOrders(t *testing.T) {
	f, err := score.New([]string{"rank"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.Set([]float64{1})
	cfg := hours(t, 1, 200)
	srpt := dally.Default()
	srpt.Order, srpt.Evict, srpt.MinRun = contest.ShortestTime(), true, 0.25
	mean := func(p sim.Policy) (sum float64) {
		for _, r := range hand.Records(t, cfg, p) {
			sum += (r.End - cfg.Workload.Jobs[r.Job].Submit).Seconds() / 200
		}
		return sum
	}
	fifo, gittins, known := mean(build(t, makeRanked, "features=rank:0,ties=submit")()),
		mean(build(t, makeRanked, "median_s=1800,spread=1.5")()), mean(dally.NewPolicy(srpt, nil))
	if !(known < gittins && gittins < fifo) {
		t.Errorf("mean completion times: clairvoyant %v, Gittins %v, arrival %v: expected them in this order", known,
			gittins, fifo)
	}
}
