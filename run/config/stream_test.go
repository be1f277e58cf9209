package config

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tarry/catalogue/policies"
	"tarry/catalogue/simulation"
	"tarry/internal/effort"
	"tarry/run/trial"
)

// rowOf runs the first trial of a setup and gives all that its summary states, in every digit, and
// whether its jobs were streamed.
func rowOf(t *testing.T, c Config) (row string, streamed bool) {
	t.Helper()
	s, err := Build(c, simulation.All())
	if err != nil {
		t.Fatal(err)
	}
	trials := s.Trials()
	done, err := trial.Run(context.Background(), trials, trial.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range done {
		r.Row.WorkloadSHA256, r.Row.ConfigSHA256 = "", ""
		row += fmt.Sprintf("%+v %v %v %d %v\n", r.Row, r.JCT, r.Refused, r.Events, r.Measures)
	}
	return row, trials[0].Stream != nil
}

// quick is a policy for a test of all of them: one that searches does so less, and ends sooner.
func quick(policy string) string {
	switch policy {
	case "pollux":
		return "pollux:population=10,generations=5,interval=600"
	case "ones":
		return "ones:population=4,generations=1,every=600"
	case "sia":
		return "sia:interval_s=600"
	case "iadeep":
		return "iadeep:unknown=share,iterations=2,trial=60"
	}
	return policy
}

// Streamed jobs give the numbers of held ones to the last bit, under every policy of the catalogue.
func TestStreamedIsHeld(t *testing.T) {
	all := policies.All()
	streamed := 0
	for _, p := range all {
		t.Run(p.Name, func(t *testing.T) {
			c := Default()
			c.Trace = fmt.Sprintf("synth:philly,jobs=%d,gpus=64,load=1.2", effort.Of(t, 150, 400))
			c.Cluster, c.Speed, c.Policies, c.Replicates = "2x2x8", "tiers", []string{quick(p.Name)}, 2
			c.Costs.CheckpointEveryS, c.Costs.Checkpoint.FixedS, c.Costs.Restore.FixedS = 600, 5, 7
			c.Faults.GPUMTBFS, c.Faults.GPUMTTRS = 2e6, 3600
			held, _ := rowOf(t, c)
			c.Streamed = true
			got, yes := rowOf(t, c)
			if yes {
				streamed++
			}
			if got != held {
				t.Errorf("streamed %v: %s\nheld: %s", yes, got[:600], held[:600])
			}
			c.UntilS = 1e5
			cut, _ := rowOf(t, c)
			c.Streamed = false
			if held, _ := rowOf(t, c); cut != held {
				t.Errorf("cut and streamed: %s\nheld: %s", cut[:600], held[:600])
			}
		})
	}
	if len(all)-streamed > 3 {
		t.Errorf("only %d of %d policies stream", streamed, len(all))
	}
}

// What asks for all jobs at once holds them.
func TestWhatHoldsJobs(t *testing.T) {
	for name, c := range map[string]struct {
		change   func(*Config)
		streamed bool
	}{
		"nothing":      {func(*Config) {}, true},
		"recurring":    {func(c *Config) { c.Trace = "synth:recur,jobs=50" }, true},
		"batch":        {func(c *Config) { c.Trace = "synth:batch,jobs=50" }, true},
		"no models":    {func(c *Config) { c.Trace = "synth:mm1,jobs=50" }, true},
		"refused":      {func(c *Config) { c.Trace, c.Cluster = "synth:philly,jobs=50,gpus=512", "1x2x4" }, true},
		"a history":    {func(c *Config) { c.Policies = []string{"tiresias-gittins"} }, false},
		"no history":   {func(c *Config) { c.Policies, c.History = []string{"tiresias-gittins"}, "none" }, true},
		"estimates":    {func(c *Config) { c.EstimateError = 0.5 }, false},
		"a predictor":  {func(c *Config) { c.Predict = "global" }, false},
		"models drawn": {func(c *Config) { c.Trace, c.Models = "synth:mm1,jobs=50", "paper" }, false},
		"efficiency":   {func(c *Config) { c.Efficiency = "noise=2x..32x,growth=4" }, true},
		"gpu profile":  {func(c *Config) { c.GPUProfile, c.Interference = "catalogue", "nway" }, true},
		"elastic":      {func(c *Config) { c.Elastic = "min=1,max=2x,fraction=0.5" }, true},
		"elastic, low": {func(c *Config) { c.Elastic, c.Policies = "min=1,max=4x,worker=2", []string{"heet-like"} },
			true},
		"deadlines":    {func(c *Config) { c.Deadlines, c.Tenants = "min=0.5,max=1.5,fraction=0.7", "user" }, true},
		"whole chunks": {func(c *Config) { c.ChunkIterations = 10 }, false},
		"not allowed":  {func(c *Config) { c.Streamed = false }, false},
	} {
		t.Run(name, func(t *testing.T) {
			conf := Default()
			conf.Trace, conf.Cluster, conf.Speed, conf.Policies, conf.Streamed = "synth:demo,jobs=50", "2x2x8",
				"counting", []string{"fifo"}, true
			c.change(&conf)
			got, streamed := rowOf(t, conf)
			if streamed != c.streamed {
				t.Errorf("streamed: %v, expected %v", streamed, c.streamed)
			}
			conf.Streamed = false
			if held, _ := rowOf(t, conf); got != held {
				t.Errorf("streamed: %s\nheld: %s", got[:400], held[:400])
			}
		})
	}
}

// A wrong generator is a fault at the trace's own place, streamed or not.
func TestStreamOfNothing(t *testing.T) {
	c := Default()
	c.Trace, c.Policies, c.Streamed = "synth:demo,jobs=x", []string{"fifo"}, true
	if _, err := Build(c, simulation.All()); err == nil || !strings.Contains(err.Error(), "jobs") {
		t.Error(err)
	}
}
