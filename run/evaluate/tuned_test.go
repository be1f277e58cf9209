package evaluate

import (
	"context"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/env/delaytimer"
	"tarry/env/schedenv"
	"tarry/run/trial"
	"tarry/run/tune"
)

// tuned tunes for a moment and gives the folder.
func tuned(t *testing.T, options string, seed uint64) (dir, policy string) {
	t.Helper()
	dir = t.TempDir()
	c := tune.Default()
	c.Env, c.Policy, c.Params = delaytimer.ID+":"+options, "dally-manual", []string{"t_rack=0.01:5:log"}
	c.Optimiser, c.Budget, c.Windows, c.Validation, c.Seed = "random", 3, 2, 2, seed
	out, err := tune.Run(context.Background(), shipped.All(), c, tune.Options{Out: dir})
	if err != nil {
		t.Fatal(err)
	}
	return dir, out.Best.Policy
}

// A tuned scheduler stands beside an agent, after it and before the baselines, or alone at the
// head.
func TestTuned(t *testing.T) {
	dir, policy := tuned(t, busy+",gamma=0.9", 1)
	agent := trained(t, delaytimer.ID, busy)
	for _, r := range []Request{request(agent), request()} {
		r.Tuned, r.OpenTuned = []string{dir, dir}, tune.OpenWith
		s, err := Build(shipped.All(), r)
		if err != nil {
			t.Fatal(err)
		}
		k := len(r.Checkpoints)
		if len(s.Policies) != k+4 || s.Policies[k] != policy || !strings.HasPrefix(s.Policies[k+1], policy+"@") ||
			s.Policies[k+2] != "dally" || !strings.Contains(s.JSON, "tuned by random") {
			t.Fatalf("policies %v, %s", s.Policies, s.JSON)
		}
		done, err := trial.Run(context.Background(), s.Trials, trial.Options{})
		if err != nil || s.Err() != nil {
			t.Fatal(err, s.Err())
		}
		rows, err := s.Summarise(done)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range rows {
			if isTuned := i == k || i == k+1; strings.Contains(r.Agent,
				"tuned by random with seed 1, sha256 ") != isTuned || r.Runs[0].Row.Policy != s.Policies[i] {
				t.Errorf("row %d: %q, %q", i, r.Policy, r.Agent)
			}
		}
		if d := rows[k+1].Diff; k == 0 && (d.N != 3 || d.Point != 0) {
			t.Errorf("the same scheduler differs from itself: %+v", d)
		}
	}
}

// Windows that tuning saw are refused like windows that training saw, and so are other jobs.
func TestTunedSeen(t *testing.T) {
	dir, _ := tuned(t, options, 1)
	for part, want := range map[schedenv.Part]string{schedenv.Train: "window 0 of part train " +
		"is training window 0 of " + dir,
		schedenv.Validation: "is validation window 0 of " + dir} {
		r := request()
		r.Tuned, r.OpenTuned, r.Part = []string{dir}, tune.OpenWith, part
		if _, err := Build(shipped.All(), r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("part %s gives %v, expected %s", part, err, want)
		}
		r.Options = []string{"load=0.7"}
		if _, err := Build(shipped.All(), r); err == nil || !strings.Contains(err.Error(),
			"cut into windows in another way") {
			t.Errorf("part %s with another load gives %v", part, err)
		}
	}
	other, _ := tuned(t, options+",load=0.5", 1)
	r := request()
	r.Tuned, r.OpenTuned = []string{dir, other}, tune.OpenWith
	if _, err := Build(shipped.All(), r); err == nil || !strings.Contains(err.Error(),
		other+" was tuned on other jobs or another cluster than "+dir) {
		t.Errorf("two loads give %v", err)
	}
	r.Tuned, r.OpenTuned = []string{t.TempDir()}, tune.OpenWith
	if _, err := Build(shipped.All(), r); err == nil || !strings.Contains(err.Error(),
		"is not the folder of a run of tarry tune") {
		t.Errorf("an empty folder gives %v", err)
	}
	r.Tuned = nil
	if _, err := Build(shipped.All(), r); err == nil || err.Error() != "no checkpoint, expected the folder of a "+
		"training run or of tarry tune, or an actor" {
		t.Errorf("no folder gives %v", err)
	}
}

// A run may choose what is a baseline, too: the tuned one gets a hash after its name, and both are
// measured.
func TestTunedIsBaseline(t *testing.T) {
	dir, policy := tuned(t, options, 1)
	r := request()
	r.Tuned, r.OpenTuned, r.Baselines = []string{dir}, tune.OpenWith, []string{"fifo", policy}
	s, err := Build(shipped.All(), r)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Policies) != 3 || !strings.HasPrefix(s.Policies[0], policy+"@") || s.Policies[2] != policy ||
		s.tuned[0].text == "" || s.tuned[2].text != "" {
		t.Errorf("policies %v, tuned %v", s.Policies, s.tuned)
	}
}
