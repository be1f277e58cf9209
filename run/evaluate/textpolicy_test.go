package evaluate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/env/schedenv"
	"tarry/output/results"
	"tarry/run/config"
	"tarry/run/trial"
	"tarry/sim/param"
)

// Every policy that runs a network as text gives, in tarry compare, the figures of the agent in tarry
// eval on the same windows: of each window the completion time of each job and the summary, to the
// last bit. A policy has the settings of the environment that the agent was trained in.
func TestWeightsAsPolicy(t *testing.T) {
	const place = "cluster=2x2x4,windows=3,warm=2,load=1.3,horizon="
	for _, c := range []struct{ env, options, policy, train string }{
		{"tarry/Inspect-v0", "windows=3,window_jobs=40", "inspected:by=request,", "activation=relu"},
		{"tarry/Inspect-v0", "windows=3,window_jobs=40,by=estimate,base=f1,backfill=fcfs,refusals=5,lease_s=600",
			"inspected:base=f1,backfill=fcfs,refusals=5,lease_s=600,", "norm_obs=true"},
		{"tarry/Place-v0", place + "12", "deepshare:", "norm_reward=true"},
		{"tarry/Place-v0", place + "720,candidates=5,lease_s=60", "deepshare:lease_s=60,",
			"activation=relu"},
		{"tarry/Grow-v0", "windows=3,window_jobs=16", "dl2:", "activation=relu"},
		{"tarry/Grow-v0", "windows=3,window_jobs=16,jobs=5,every=900,lease_s=900", "dl2:every=900,lease_s=900,",
			"encoder=mlp norm_obs=true"},
		{"tarry/Limit-v0", "windows=3,window_jobs=16", "decima-like:", "activation=relu"},
		{"tarry/Order-v0", place + "720,places=program,median_s=600,spread=1,lease_s=600", "rltune-like:median_s=600," +
			"spread=1,lease_s=600,", "hidden=8"},
		{"tarry/Limit-v0", "windows=3,window_jobs=16,jobs=5,lease_s=900", "decima-like:lease_s=900,",
			"encoder=mlp norm_obs=true"},
	} {
		dir := trainedWith(t, c.env, c.options, 2, strings.Fields(c.train)...)
		agent, at, err := measuredIn(dir)
		if err != nil {
			t.Fatalf("%s:%s: %v", c.env, c.options, err)
		}
		text, err := comparedIn(at, c.policy+"weights="+weightsOf(t, dir))
		if err != nil {
			t.Errorf("%s of %s:%s: %v", c.policy, c.env, c.options, err)
			continue
		}
		rule, err := comparedIn(at, ruleOf(c.policy))
		if err != nil {
			t.Fatal(err)
		}
		same := 0
		for w, r := range agent.Runs {
			if got, want := figures(text[w]), figures(r); got != want {
				t.Errorf("%s of %s:%s, window %d:\n%s\nexpected the agent's\n%s", c.policy, c.env, c.options, w, got, want)
			}
			if figures(rule[w]) == figures(text[w]) {
				same++
			}
		}
		if same == len(rule) {
			t.Errorf("%s: its rule has the agent's figures, expected others", c.policy)
		}
	}
}

// ruleOf is a policy without what belongs to its network.
func ruleOf(policy string) string {
	name, settings, _ := strings.Cut(policy, ":")
	settings = param.Without(strings.TrimRight(settings, ","), "lease_s", "median_s", "spread")
	return strings.TrimRight(name+":"+settings, ":")
}

// measuredIn evaluates the last agent of a training run on three test windows, and gives the
// environment that it was measured in.
func measuredIn(dir string) (Row, *schedenv.Config, error) {
	s, err := Build(shipped.All(), Request{Checkpoints: []string{dir}, Which: "last", Part: schedenv.Test, Windows: 3})
	if err != nil {
		return Row{}, nil, err
	}
	done, err := trial.Run(context.Background(), s.Trials, trial.Options{Workers: 1})
	if err = errors.Join(err, s.Err()); err != nil {
		return Row{}, nil, err
	}
	rows, err := s.Summarise(done)
	if err != nil {
		return Row{}, nil, err
	}
	return rows[0], &s.Agents[0].env.config, nil
}

// weightsOf writes the last agent of a training run into a file, as text.
func weightsOf(t *testing.T, dir string) string {
	t.Helper()
	var text bytes.Buffer
	path := filepath.Join(t.TempDir(), "agent.txt")
	if err := errors.Join(WriteWeights(shipped.All(), dir, "last", 0, &text),
		os.WriteFile(path, text.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	return path
}

// comparedIn runs a policy, as tarry compare does, on three test windows of an environment's scenario.
func comparedIn(at *schedenv.Config, policy string) ([]*trial.Result, error) {
	c := config.Default()
	c.Scenario, c.Policies, c.Replicates = at.Scenario, []string{policy}, 3
	c.Cuts.Part = schedenv.Test
	s, err := config.Build(c, shipped.All().Catalogues)
	if err != nil {
		return nil, err
	}
	return trial.Run(context.Background(), s.Trials(), trial.Options{Workers: 1})
}

// figures writes what a run comes to, to the last bit.
func figures(r *trial.Result) string {
	sum := r.Row.Summary
	sum.ConfigSHA256 = ""
	return fmt.Sprintf("jobs %v\n%+v", r.JCT, sum)
}

// The shipped networks are ahead of a rule on the first test windows of their environments.
func TestShippedPolicies(t *testing.T) {
	jct := func(s *results.Summary) float64 { return s.JCTMean }
	for _, c := range []struct {
		env, policy, file, rule string
		cost                    func(*results.Summary) float64
	}{
		{"tarry/Place-v0", "deepshare:", "deepshare.txt", "deepshare", jct},
		{"tarry/Limit-v0", "decima-like:", "decima.txt", "decima-like:rule=fair", jct},
		{"tarry/Grow-v0", "dl2:", "dl2.txt", "dl2:rule=fair", jct},
		{"tarry/Inspect-v0", "inspected:by=request,", "inspector.txt", "inspected:by=request,rule=never",
			func(s *results.Summary) float64 { return s.BSLDMean }},
	} {
		e, err := policyEnvOf(shipped.All().Maker(), c.env, "part=test")
		if err != nil {
			t.Fatal(err)
		}
		sum := func(policy string) (out float64) {
			done, err := comparedIn(&e.config, policy)
			if err != nil {
				t.Fatalf("%s: %v", policy, err)
			}
			for _, r := range done {
				out += c.cost(&r.Row.Summary)
			}
			return out
		}
		net, rule := sum(c.policy+"weights=../../examples/weights/"+c.file), sum(c.rule)
		if t.Log(c.file, net, rule); net >= rule {
			t.Errorf("%s costs %v, %s %v", c.file, net, c.rule, rule)
		}
	}
}
