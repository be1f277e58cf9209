package config

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env/scenario"
	"tarry/run/trial"
	"tarry/sim/rng"
	"tarry/sim/simtest"
)

// TestTortureSettings draws runs from what a user may set about the past: histories, predictors
// with their settings, and cuts of generated jobs and of a trace. A run keeps the invariants of the
// kernel, and is the same with any number of workers and when it is built again.
func TestTortureSettings(t *testing.T) {
	trace := futureTrace(t, 0, 0, false)
	history := "sample.csv" // beside the trace
	if err := os.WriteFile(history, []byte("gpu_s\n60.5\n900\n7200\n86400\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	simtest.Torture(t, 12, func(seed uint64) error {
		c := drawnPast(rng.Source{Seed: seed}.Stream("torture").Rand, trace, history)
		c.Seed = seed % (1 << 31)
		first, err := outcomes(c, 2)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, shown(c))
		}
		if again, err := outcomes(c, 1); err != nil || !slices.Equal(first, again) {
			return fmt.Errorf("built again and with one worker the runs differ (error %v)\n%v\n%v\n%s", err, first,
				again, shown(c))
		}
		return nil
	})
}

// drawnPast draws a configuration.
func drawnPast(r *rand.Rand, trace, history string) Config {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	c := Default()
	c.Cluster, c.Speed, c.Placement = pick("2x2x4", "ethernet:2x2x4"), pick("counting", "collective"),
		pick("best-fit", "first-found")
	c.History = pick("self", "none", history)
	c.Replicates = 1 + r.IntN(3)
	c.Predict = predictorOf(pick)
	all := []string{"tiresias-gittins", "tiresias-gittins:queues=1800/36000,promote=2", "sjf:by=estimate",
		"srtf:by=left", "srsf:by=gittins", "gittins", "qssf", "easy", "conservative:by=estimate",
		"dally:order=gittins,evict=later,margin=1", "dally:order=psrpt,evict=later", "dally:order=psrsf",
		"allox:work=estimate", "a-srpt", "optimus", "fifo"}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	c.Policies = all[:3]
	if c.Trace = fmt.Sprintf("synth:%s,jobs=%d,load=%s", pick("demo", "recur", "philly"), 10+r.IntN(50),
		pick("0.5", "1.1", "2")); r.IntN(3) == 0 {
		c.Trace = "csv:" + trace
	}
	if r.IntN(2) == 0 {
		return c
	}
	c.Cuts = scenario.Default().Cuts
	c.Cuts.Part = scenario.Part(pick("train", "validation", "test"))
	c.Cuts.LeaseS, c.Cuts.Warm, c.Cuts.Horizon = 600, float64(r.IntN(6)), float64(6+r.IntN(20))
	if strings.HasPrefix(c.Trace, "csv:") {
		c.Cuts.Gap, c.Replicates = 1, 1
	} else {
		c.Trace = ""
	}
	return c
}

// predictorOf draws a predictor and its settings; some have none.
func predictorOf(pick func(of ...string) string) string {
	name := pick("none", "global", "size", "user-size", "last2", "request", "ridge", "mix", "stack")
	if name == "none" {
		return name
	}
	settings := []string{"law=" + pick("empirical", "lognormal"), "refit=" + pick("0", "1", "7", "500"), "history=" +
		pick("0", "1", "40")}
	switch name {
	case "size", "user-size":
		settings = append(settings, "shrink="+pick("0", "2", "50"), "memory="+pick("0", "1", "1000"))
	case "request":
		settings = append(settings, pick("raw=true", "raw=false"), "sigma="+pick("0", "0.5", "3"))
	case "ridge":
		settings = append(settings, "lambda="+pick("1e-06", "2", "1e6"), "solve="+pick("0", "1", "1000"))
	case "stack":
		settings = append(settings, "of="+pick("ridge+size", "request+last2"), "lambda="+pick("1e-06", "10"), "solve="+
			pick("0", "1", "1000"))
	case "mix":
		settings = append(settings, "of="+pick("ridge+size", "request+last2"), "weights="+pick("1/1", "0/3"))
	}
	return pick(name, name+":"+strings.Join(settings, ","))
}

// outcomes builds the runs and gives the hash of each one's rows of jobs.
func outcomes(c Config, workers int) ([]string, error) {
	s, err := Build(c, simulation.All())
	if err != nil {
		return nil, fmt.Errorf("building: %w", err)
	}
	all := s.Trials()
	for i := range all {
		all[i].Check = true
	}
	done, err := trial.Run(context.Background(), all, trial.Options{Workers: workers})
	if err != nil {
		return nil, err
	}
	out := make([]string, len(done))
	for i, r := range done {
		out[i] = fmt.Sprint(r.Row.Keys, r.Row.Summary, r.JCT)
	}
	return out, nil
}

func shown(c Config) string {
	return fmt.Sprintf("--trace %q --cluster %s --speed %s --history %s --predict %q --policies %q --replicates %d, "+
		"cuts %+v", c.Trace, c.Cluster, c.Speed, c.History, c.Predict, c.Policies, c.Replicates, c.Cuts)
}
