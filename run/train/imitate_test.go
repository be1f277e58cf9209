package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarry/catalogue/shipped"
	"tarry/env"
	"tarry/env/schedenv"
)

// cloned gives a new run its warm start only.
func cloned(t *testing.T, cfg *Config) *run {
	t.Helper()
	r := &run{cfg: cfg, opt: Options{Out: t.TempDir()}, state: state{best: math.NaN()}}
	saved, err := r.open(t.Context())
	if err == nil {
		err = r.prepare(saved)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.learner.Close(); r.val.close() })
	if err := r.imitate(context.Background()); err != nil {
		t.Fatal(err)
	}
	return r
}

// compare steps through a validation window by the clone's most likely actions, and returns for
// each question what the baseline would have done.
func compare(t *testing.T, r *run, window int, tell func(clone, baseline []float64)) {
	t.Helper()
	e, err := r.cfg.make(schedenv.Validation)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	on, _ := env.Find[*schedenv.Env](e)
	if err := on.Follow(r.cfg.Imitate); err != nil {
		t.Fatal(err)
	}
	obs, info, err := e.Reset(nil, fmt.Sprintf("window=%d", window))
	action, want := make([]float64, e.Spec().Action.Len()), make([]float64, e.Spec().Action.Len())
	for done := false; err == nil && !done; {
		if err := errors.Join(r.learner.Policy().Act(action, obs, info.Mask, nil), on.Demonstrate(want)); err != nil {
			t.Fatal(err)
		}
		tell(action, want)
		var s env.Step
		s, err = e.Step(action)
		obs, info, done = s.Obs, s.Info, s.Done()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A clone does on windows that it has not seen what the baseline would: the same timers within a
// tenth of the scale's half, or the same choice in most questions.
func TestImitation(t *testing.T) {
	const small, larger = ":cluster=2x2x4,windows=6,warm=6,horizon=12,load=1.1",
		":cluster=4x4x4,windows=30,warm=12,horizon=40,load=1.1"
	long := []string{"envs=4", "steps=32", "hidden=16", "minibatches=4", "imitate_episodes=24", "imitate_epochs=10",
		"imitate_rate=0.004"}
	for _, c := range []struct {
		env, baseline string
		least         float64 // share of equal choices
	}{
		{"tarry/DelayTimer-v0" + small, "dally-manual:t_rack=2,t_net=9", 0},
		{"tarry/DelayTimer-v0" + small, "dally:min_rack=1,min_net=2", 0},
		{"tarry/DelayTimerDiscrete-v0" + small, "dally-manual:t_rack=5,t_net=14", 0.95},
		{"tarry/Offer-v0" + larger, "dally-manual:t_rack=1,t_net=3", 0.85},
		{"tarry/Preempt-v0" + small, "srsf", 0.9},
	} {
		cfg := short(t, c.env, append(long, "total_steps=1024", "imitate="+c.baseline)...)
		r := cloned(t, &cfg)
		total, apart, equal := 0.0, 0.0, 0.0
		for w := range 3 {
			compare(t, r, w, func(clone, baseline []float64) {
				total++
				same := true
				for i := range clone {
					apart += math.Abs(clone[i]-baseline[i]) / float64(len(clone))
					same = same && clone[i] == baseline[i]
				}
				if same {
					equal++
				}
			})
		}
		if total == 0 {
			t.Fatalf("%s: nobody was asked", c.env)
		}
		t.Logf("%s of %s: %v questions, %.3f apart, %.2f equal", c.env, c.baseline, total, apart/total, equal/total)
		if strings.HasPrefix(c.env, "tarry/DelayTimer-v0") {
			if apart/total > 0.1 {
				t.Errorf("%s: actions are %.3f from those of %s, want at most 0.1", c.env, apart/total, c.baseline)
			}
		} else if equal/total < c.least {
			t.Errorf("%s: %.2f of the choices are those of %s, want %v", c.env, equal/total, c.baseline, c.least)
		}
	}
}

// A run that is killed within its imitation, or right after it, leaves the bytes of one that was
// not.
func TestImitationKilled(t *testing.T) {
	for _, agent := range []string{"ppo", "dqn", "sac"} {
		t.Run(agent, func(t *testing.T) { imitationKilled(t, replaying(t, agent)) })
	}
}

// replaying is a short run of an agent that imitates.
func replaying(t *testing.T, agent string) Config {
	t.Helper()
	set := []string{"imitate=dally", "imitate_episodes=6", "imitate_epochs=2"}
	if agent == "ppo" {
		return short(t, delay, set...)
	}
	on := delay
	if agent == "dqn" {
		on = strings.Replace(delay, "DelayTimer", "DelayTimerDiscrete", 1)
	}
	cfg, err := Resolve(shipped.All(), on, agent, 3, settings(append(set, "total_steps=96", "envs=2", "steps=8",
		"hidden=8", "checkpoint_every=2", "validate_every=2",
		"validate_episodes=2", "learning_starts=20", "batch=8")))
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

func imitationKilled(t *testing.T, cfg Config) {
	t.Helper()
	whole := t.TempDir()
	imitations := 0
	if _, err := Run(context.Background(), cfg, Options{Out: whole, Watch: func(p Progress) {
		if p.Row.Imitation {
			imitations++
		}
	}}); err != nil {
		t.Fatal(err)
	}
	if imitations < 2 {
		t.Fatalf("%d rollouts are imitated, the test wants more", imitations)
	}
	stride := 1
	if cfg.Agent != "ppo" {
		stride = max(1, imitations/2) // the start, the middle and the end of the warm start, and after it
	}
	for at := 0; at < imitations+2; at += stride {
		dir, seen := t.TempDir(), 0
		ctx, cancel := context.WithCancel(context.Background())
		out, err := Run(ctx, cfg, Options{Out: dir, Workers: 2, Watch: func(Progress) {
			if seen == at {
				cancel()
			}
			seen++
		}})
		cancel()
		if !errors.Is(err, ErrInterrupted) {
			t.Fatalf("interrupted run gives %v", err)
		}
		if strings.Contains(err.Error(), "starts again") != (at+1 < imitations) {
			t.Errorf("stop %d of %d imitations: %v after %d updates", at, imitations, err, out.Updates)
		}
		again, err := Recorded(shipped.All(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Run(context.Background(), again, Options{Out: dir, Resume: true}); err != nil {
			t.Fatal(err)
		}
		same(t, fmt.Sprint("stop ", at), contents(t, whole), contents(t, dir))
	}
}

func TestImitationFaults(t *testing.T) {
	for _, c := range []struct{ env, agent, set, want string }{
		{delay, "ppo", "imitate=daly", `did you mean "dally"?`},
		{delay, "ppo", "imitate=fifo", "imitate is fifo: tarry/DelayTimer-v0: what fifo would do cannot be read off " +
			"at the agent's questions, expected one of delay, dally, "},
		{delay, "cmaes-policy", "imitate=dally", "imitate is dally, but agent cmaes-policy cannot imitate, expected " +
			"one of the agents ppo, a2c, reinforce, pac, dqn, sac"},
		{delay, "sac", "demo_share=0.5", "demo_ settings set how to learn from demonstrations, but not whose: " +
			"expected imitate=BASELINE"},
		{delay, "sac", "imitate=dally demo_share=2", "sac: demo_share is 2, expected a number between 0 and 1"},
		{delay, "sac", "imitate=dally demo_shar=0.5",
			`unknown setting "demo_shar", expected one of env, agent, seed, checkpoint_every, `},
		{delay, "sac", "imitate=dally demo_shar=0.5", `did you mean "demo_share"?`},
		{delay, "sac", "imitate=dally demo_weight=x", `demo_weight is "x", expected a number`},
		{delay, "ppo", "imitate=dally demo_share=0.5", `unknown setting "demo_share"`},
		{cart, "ppo", "imitate=dally", "environment classic/CartPole-v1 has no demonstrator"},
		{delay, "ppo", "imitate_episodes=4", "but not whom: expected imitate=BASELINE"},
		{delay, "ppo", "imitate=dally imitate_rate=-1", "imitate_rate is -1, expected a number from 0 to 1"},
		{delay, "ppo", "imitate=dally imitate_epochs=-1", "imitate_epochs -1, expected at least 1"},
		{delay, "ppo", "imitate=dally imitate_episodes=x", `imitate_episodes is "x", expected a whole number`},
	} {
		if _, err := Resolve(shipped.All(), c.env, c.agent, 1, settings(strings.Fields(c.set))); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s, %s: error %v, expected %s", c.env, c.agent, c.set, err, c.want)
		}
	}
}

// What the settings for demonstrations are is written down where there are any, and nowhere else;
// what is written down is read back.
func TestDemonstrationSettings(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"", ""}, {"imitate=dally", `"demo_share":0.25 "demo_weight":1`},
		{"imitate=dally demo_weight=0", `"demo_share":0.25 "demo_weight":0`},
	} {
		cfg, err := Resolve(shipped.All(), delay, "sac", 1, settings(strings.Fields(c.set)))
		if err != nil {
			t.Fatal(err)
		}
		text, err := cfg.JSON()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, line := range strings.Split(string(text), "\n") {
			if strings.Contains(line, "demo_") {
				got = append(got, strings.ReplaceAll(strings.Trim(line, " ,"), " ", ""))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: config.json says %q, want %q", c.set, got, c.want)
		}
		again, err := read(shipped.All(), shipped.All().Maker(), t.TempDir(), text)
		if err != nil {
			t.Fatal(err)
		}
		if now, err := again.JSON(); err != nil || string(now) != string(text) {
			t.Errorf("%s: config.json is read back as\n%s, error %v", c.set, now, err)
		}
	}
}

// Checkpoints are written when the clock notes it, and do not change results.
func TestCheckpointMinutes(t *testing.T) {
	cfg := short(t, cart, "checkpoint_every=1000", "checkpoint_minutes=1.5")
	var want map[string]string
	for _, step := range []time.Duration{0, time.Second, 31 * time.Second, time.Hour} {
		dir, now, written := t.TempDir(), time.Duration(0), 0
		last := ""
		_, err := Run(context.Background(), cfg, Options{Out: dir,
			Clock: func() time.Duration { now += step; return now }, Watch: func(p Progress) {
				if text := contents(t, dir)[filepath.FromSlash(lastName)]; text != last {
					last = text
					written++
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
		// Each update asks the clock once, and a checkpoint once more.
		if due := map[time.Duration]int{0: 1, time.Second: 1, 31 * time.Second: 2, time.Hour: 6}[step]; written != due {
			t.Errorf("%v between looks at the clock: %d checkpoints, expected %d", step, written, due)
		}
		if want == nil {
			want = contents(t, dir)
		}
		same(t, step.String(), want, contents(t, dir))
	}
	if _, err := Resolve(shipped.All(), cart, "ppo", 1, settings([]string{"checkpoint_minutes=-1"})); err == nil ||
		!strings.Contains(err.Error(), "checkpoint_minutes is -1, expected 0 to 1e6") {
		t.Errorf("a negative time gives %v", err)
	}
}
