package evaluate

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tarry/agents/registry"
	"tarry/catalogue/shipped"
	"tarry/env/delaytimer"
	"tarry/env/schedenv"
	"tarry/run/train"
	"tarry/run/trial"
)

const options = "cluster=2x2x4,windows=5,warm=2,horizon=6,lease_s=1800"

// busy leaves every kind of question to be asked.
const busy = "windows=3,warm=12,horizon=12,load=1.2"

// trained trains for a moment and gives the folder.
func trained(t *testing.T, id, options string) string { return trainedWith(t, id, options, 2) }

func trainedWith(t *testing.T, id, options string, seed uint64, more ...string) string {
	t.Helper()
	dir := t.TempDir()
	var set []registry.Setting
	for _, s := range append([]string{"total_steps=32", "envs=2", "steps=8", "hidden=4", "minibatches=2", "epochs=1",
		"validate_episodes=1"}, more...) {
		k, v, _ := strings.Cut(s, "=")
		set = append(set, registry.Setting{Key: k, Value: v})
	}
	cfg, err := train.Resolve(shipped.All(), id+":"+options, "ppo", seed, set)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := train.Run(context.Background(), cfg, train.Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	return dir
}

func request(dirs ...string) Request {
	return Request{Checkpoints: dirs, Which: "last", Baselines: []string{"dally", "fifo"}, Part: schedenv.Test,
		Windows: 3}
}

// Every environment over the simulator takes an agent as a policy, and all policies run on the same
// windows.
func TestEveryEnvironment(t *testing.T) {
	for _, id := range []string{"tarry/DelayTimer-v0", "tarry/DelayTimerDiscrete-v0", "tarry/Preempt-v0",
		"tarry/Offer-v0"} {
		r, ticks := request(trained(t, id, busy)), time.Duration(0)
		r.Clock = func() time.Duration { ticks += time.Millisecond; return ticks }
		s, err := Build(shipped.All(), r)
		if err != nil {
			t.Fatal(err)
		}
		done, err := trial.Run(context.Background(), s.Trials, trial.Options{})
		if err != nil || s.Err() != nil {
			t.Fatal(err, s.Err())
		}
		rows, err := s.Summarise(done)
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != 3 || rows[0].Policy != "ppo-2-last" || !strings.Contains(rows[0].Agent, id) ||
			rows[1].Agent != "" {
			t.Fatalf("%s: rows %+v", id, rows)
		}
		if n, mean := s.Agents[0].Latency(); n == 0 || mean != time.Millisecond {
			t.Errorf("%s: %d decisions of %v, expected some of 1ms", id, n, mean)
		}
		evals := Evals(rows)
		for i, e := range evals {
			if e.WorkloadSHA256 != evals[i%3].WorkloadSHA256 || e.Replicate != int64(i%3) || e.Unfinished != 0 {
				t.Errorf("%s: eval %d is %+v", id, i, e)
			}
		}
		for k, tau := range Taus() {
			within := 0.0
			for i, run := range rows[2].Runs {
				if run.Row.JCTMean < tau*min(rows[0].Runs[i].Row.JCTMean, rows[1].Runs[i].Row.JCTMean,
					run.Row.JCTMean) {
					within++
				}
			}
			if got := rows[2].Profile[k].Point; got != within/3 {
				t.Errorf("%s: profile at %v is %v, expected %v", id, tau, got, within/3)
			}
		}
		// The difference is the difference of the means, and its sign states that the first is
		// faster if positive.
		want := mean(rows[2]) - mean(rows[0])
		if d := rows[2].Diff; math.Abs(d.Point-want) > 1e-9*math.Abs(want) || !(d.Lo <= d.Point && d.Point <= d.Hi) {
			t.Errorf("%s: difference %+v, expected %v", id, d, want)
		}
		below := 0.0
		for i, run := range rows[2].Runs {
			switch a, b := rows[0].Runs[i].Row.JCTMean, run.Row.JCTMean; {
			case a == b:
				below += 0.5
			case a < b:
				below++
			}
		}
		if got := rows[2].Improvement.Point; got != below/3 {
			t.Errorf("%s: improvement %v, expected %v", id, got, below/3)
		}
	}
}

func mean(r Row) float64 {
	sum := 0.0
	for _, run := range r.Runs {
		sum += run.Row.JCTMean
	}
	return sum / float64(len(r.Runs))
}

// An agent that judges candidates one by one serves lists of another length, on another cluster.
func TestOtherSizes(t *testing.T) {
	r := request(trained(t, "tarry/Preempt-v0", busy))
	r.Options = []string{"candidates=5", "cluster=2x4x8"}
	s, err := Build(shipped.All(), r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trial.Run(context.Background(), s.Trials[:1], trial.Options{}); err != nil || s.Err() != nil {
		t.Fatal(err, s.Err())
	}
	if n, _ := s.Agents[0].Latency(); n == 0 || s.Trials[0].Topology.GPUs() != 64 {
		t.Errorf("%d decisions on %d GPUs, expected some on 64", n, s.Trials[0].Topology.GPUs())
	}
}

// Two agents are measured together when they stand on the same jobs.
func TestTwoAgents(t *testing.T) {
	a, b := trained(t, delaytimer.ID, options), trained(t, delaytimer.ID, options+",load=0.5")
	if _, err := Build(shipped.All(), request(a, b)); err == nil ||
		!strings.Contains(err.Error(), "other jobs or another cluster") {
		t.Errorf("agents of two loads give %v", err)
	}
	r := request(a, b)
	r.Options = []string{"load=0.7"}
	s, err := Build(shipped.All(), r)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Policies) != 4 || s.Policies[0] == s.Policies[1] || len(s.Trials) != 12 {
		t.Errorf("policies %v, %d trials", s.Policies, len(s.Trials))
	}
}

// Generated jobs take the place of a trace and the other way round, when what only the other kind
// has is taken away.
func TestOptionsAreTakenAway(t *testing.T) {
	r := Request{Part: schedenv.Test, Options: []string{"trace=", "gap=", "load=0.5", "workload=demo"}}
	if got, want := r.over("cluster=2x4x8,trace=jobs.csv,gap=3,horizon=4"),
		"cluster=2x4x8,horizon=4,load=0.5,workload=demo,part=test"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Options = []string{"load=", "workload= ", "trace=jobs.csv"}
	if got, want := r.over("workload=demo,load=0.5"), "trace=jobs.csv,part=test"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A window that training saw is refused under any name: here the test part of a run is the
// training part of another.
func TestSeenWindows(t *testing.T) {
	dir := trained(t, delaytimer.ID, options)
	for part, want := range map[schedenv.Part]string{schedenv.Train: "is training window 0 of",
		schedenv.Validation: "is validation window 0 of"} {
		r := request(dir)
		r.Part = part
		if _, err := Build(shipped.All(), r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("part %s gives %v, expected %s", part, err, want)
		}
		for option, fine := range map[string]bool{"horizon=5": false, "load=0.7": false, "data_seed=8": true} {
			r.Options = []string{option}
			if _, err := Build(shipped.All(), r); (err == nil) != fine {
				t.Errorf("part %s with %s gives %v", part, option, err)
			}
		}
	}
}

// Jobs that training drew from are the same ones in whatever windows they come.
func TestSameJobs(t *testing.T) {
	for _, c := range []struct {
		trained, options string
		want             bool
	}{
		{"", "load=2", true},
		{"data_seed=1", "data_seed=1,horizon=3", true},
		{"data_seed=1", "data_seed=2", false},
		{"trace=a.csv", "trace=a.csv,data_seed=2", true},
		{"trace=a.csv", "trace=b.csv", false},
		{"trace=a.csv", "trace=csv:a.csv", true},
		{"trace=philly:a.csv", "trace=csv:a.csv", false},
		{"", `trace="synth:demo,jobs=3"`, false},
	} {
		if got := sameJobs(c.trained, c.options); got != c.want {
			t.Errorf("%q, %q gives %v", c.trained, c.options, got)
		}
	}
}

// An action that is no number does not reach the scheduler, and is reported.
func TestActionsAreFinite(t *testing.T) {
	s, err := Build(shipped.All(), request(trained(t, delaytimer.ID, options)))
	if err != nil {
		t.Fatal(err)
	}
	f := s.Agents[0]
	f.policy = broken{}
	if _, err := trial.Run(context.Background(), s.Trials[:1], trial.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := s.Err(); err == nil || !strings.Contains(err.Error(), "NaN") {
		t.Errorf("error %v, expected NaN", err)
	}
}

// broken answers NaN.
type broken struct{ registry.Policy }

func (b broken) Fork() registry.Policy { return b }

func (broken) Act(dst, _ []float64, _ []bool, _ *rand.Rand) error {
	dst[0] = math.NaN()
	return nil
}

// Bounds are the last rows, one per window like the baselines', and change nothing in the rows
// before them but the profile, which is against the least of all rows.
func TestBoundsBesideAgents(t *testing.T) {
	dir := trained(t, "tarry/DelayTimer-v0", busy)
	rows := map[bool][]Row{}
	for _, with := range []bool{false, true} {
		r := request(dir)
		r.Bounds = with
		s, err := Build(shipped.All(), r)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(s.JSON, "hindsight:") != with {
			t.Errorf("with bounds %v the request is %s", with, s.JSON)
		}
		done, err := trial.Run(context.Background(), s.Trials, trial.Options{})
		if err != nil || s.Err() != nil {
			t.Fatal(err, s.Err())
		}
		if rows[with], err = s.Summarise(done); err != nil {
			t.Fatal(err)
		}
	}
	if len(rows[true]) != 9 {
		t.Fatalf("%d rows, expected 3 policies and 6 rows of bounds", len(rows[true]))
	}
	for i, a := range rows[false] {
		if b := rows[true][i]; a.Policy != b.Policy || a.Diff.Point != b.Diff.Point || a.Diff.Hi != b.Diff.Hi ||
			a.IQM.Point != b.IQM.Point {
			t.Errorf("row %d is %+v with bounds, %+v without", i, b, a)
		}
	}
	for i, name := range []string{"ideal:best-shape", "hindsight:static-timers", "placebo:static-timers",
		"hindsight:clairvoyant", "placebo:clairvoyant", "hindsight:rollout"} {
		if r := rows[true][3+i]; r.Policy != name || len(r.Runs) != 3 || r.Agent != "" || r.Diff.N == 0 {
			t.Errorf("row %d is %+v, expected %s", 3+i, r, name)
		}
	}
	if evals := Evals(rows[true]); len(evals) != 27 || evals[26].Policy != "hindsight:rollout" ||
		evals[26].WorkloadSHA256 != evals[2].WorkloadSHA256 {
		t.Errorf("%d evals, the last %+v", len(evals), evals[len(evals)-1].Keys)
	}
}
