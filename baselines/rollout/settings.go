package rollout

import (
	"math"
	"slices"

	"tarry/baselines/contest"
	"tarry/sim"
	"tarry/sim/rng"
	"tarry/sim/setting"
)

// Settings are a Config as users write it. Read Rows before For.
type Settings struct {
	Config
	// EpochLeases is Config.Epoch, in leases.
	EpochLeases float64
	// HoldLeases is Config.Hold, in leases.
	HoldLeases float64
	// Seed is the seed of Config.Draws.
	Seed int
}

// Rows are the settings, with their defaults: no planner.
func (s *Settings) Rows() []setting.Row {
	*s = Settings{Config: Config{Samples: 16, Errors: 1, Spread: 1, Instants: 20000}, EpochLeases: 0.25,
		HoldLeases: 1, Seed: 1}
	return []setting.Row{
		{Key: "rollout", To: &s.Variants, High: 1000, Doc: "choices that a planner compares with the base's, at 1 to " +
			"10 us of a processor for each instant that is played; 0 = no planner"},
		{Key: "samples", To: &s.Samples, Low: 2, High: 1000, Doc: "draws of the work that is left on which each choice " +
			"is played to the end, without arrivals"},
		{Key: "draw_spread", To: &s.Spread, Low: 0.01, High: 100, Doc: "how wide the draws are about the median, of what " +
			"the law of a job states"},
		{Key: "errors", To: &s.Errors, High: 100, Doc: "standard errors by which the mean gain in completion times must " +
			"exceed 0 for a choice to be taken"},
		{Key: "instants", To: &s.Instants, Low: 1, High: 1_000_000_000, Doc: "bound on what a comparison costs: " +
			"instants that are played in all; a play that meets it does not count"},
		{Key: "epoch", To: &s.EpochLeases, High: 1e4, Unit: "leases", Doc: "least time between two comparisons"},
		{Key: "arrivals", To: &s.Arrivals, High: math.MaxInt32, Doc: "number of jobs whose arrival ends an epoch, 0 = " +
			"time alone does"},
		{Key: "draws", To: &s.Seed, High: math.MaxInt32, Doc: "seed of the draws"},
	}
}

// Help describes the settings whose keys are given, for catalogues.
func Help(keys ...string) string {
	var s Settings
	return setting.Help(slices.DeleteFunc(s.Rows(), func(r setting.Row) bool { return !slices.Contains(keys, r.Key) }))
}

// For is the Config for leases of leaseS seconds; nil = there is no planner.
func (s *Settings) For(leaseS float64) *Config {
	if s.Variants == 0 {
		return nil
	}
	c := s.Config
	c.Epoch, c.Hold = contest.Leases(s.EpochLeases, leaseS), sim.Seconds(float64(s.HoldLeases*leaseS))
	c.Draws = rng.Source{Seed: uint64(s.Seed), Experiment: "rollout"}.Stream("work")
	return &c
}
