package typed

import (
	"tarry/baselines/ranked"
	"tarry/baselines/score"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Params describes the settings for the catalogue.
const Params = `best      weight of -ln(speed on the job's best type, relative to reference GPUs)
slower    weight of ln(speed on the best type / on the pair's), at least 0
edge      weight of -ln(speed on the pair's type / on the best of the others), cut at 4 to either side
price     weight of how little the jobs in the system lose elsewhere: of the mean of ln(speed on the pair's type / on the
          best), by GPUs, at least -4; a positive weight has jobs leave alone what most run best on
elsewhere what is added to the pairs of a running job that are not where it is
rank      weight of ln(Gittins rank of the run time / 1 min), as in ranked
gpus      weight of ln(GPUs)
attained  weight of ln(1 + minutes of progress)
age       weight of ln(1 + minutes since the submit)
wait      weight of ln(1 + minutes without GPUs)
running   what is added to all pairs of a running job
preempted weight of ln(1 + preemptions)
pressure_rank weight of ln(1 + GPUs asked for without success / GPUs) x (rank - 4)
pressure_gpus weight of the same x (ln(GPUs) - 2)
pressure_attained weight of the same x (attained - 4)
rank2     weight of the square of (rank - 4) / 2
gpus2     weight of the square of (ln(GPUs) - 2) / 2
attained2 weight of the square of (attained - 4) / 2
law_median_s median of the run times, s: the rank is of a log-normal law
law_spread standard deviation of ln(run time), 0 to 4
predicted true: jobs have the laws of the run's predictor, where it has one
exact     true: jobs have their true run times as laws, which makes it clairvoyant
round     time after which all is planned anew, s
eager     true: all is planned anew when jobs or GPUs come or go, too; false: waiting jobs get what is free`

// New reads the parameters. The error joins every fault.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{place: plan.NewPlacer(rule)}
	w := &p.cfg.pair
	w.best, w.slower, w.edge = weight(s, "best", 1), weight(s, "slower", 1), weight(s, "edge", 0)
	w.price, w.elsewhere = weight(s, "price", 0.5), weight(s, "elsewhere", 0)
	p.cfg.round = sim.Seconds(s.Float("round", 360, 0.001, 1e9))
	p.cfg.eager = s.Bool("eager", true)
	by, err := readRanker(s, p.cfg.round)
	if err != nil {
		return nil, err
	}
	p.by = by
	return p, s.Err()
}

// weight reads the weight of a term.
func weight(s *param.Set, name string, start float64) float64 { return s.Float(name, start, -100, 100) }

// ownTerms are the terms of a job alone.
func ownTerms() []string {
	return []string{"rank", "gpus", "attained", "age", "wait", "running", "preempted", "pressure_rank", "pressure_gpus",
		"pressure_attained", "rank2", "gpus2", "attained2"}
}

// readRanker reads the terms of a job alone and the law of run times.
func readRanker(s *param.Set, round sim.Time) (*ranked.Ranker, error) {
	names := ownTerms()
	own := make([]float64, len(names))
	for i, n := range names {
		start := 0.0
		if n == "rank" || n == "gpus" {
			start = 1
		}
		own[i] = weight(s, n, start)
	}
	r := &score.Rule{Globals: score.DefaultGlobals(), Law: score.DefaultLaw()}
	var err error
	if r.Func, err = score.New(names, 0); err != nil {
		return nil, err
	}
	r.Func.Set(own)
	r.Law.MedianS = s.Float("law_median_s", r.Law.MedianS, 1e-3, 1e12)
	r.Law.Spread = s.Float("law_spread", r.Law.Spread, 0, 4)
	if s.Bool("predicted", false) {
		r.Predictor = "any"
	}
	read := ranked.NewReader(r, round)
	read.SetExact(s.Bool("exact", false))
	return ranked.New(r.Func, read), nil
}
