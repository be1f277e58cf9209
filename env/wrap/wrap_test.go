package wrap_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/env"
	"tarry/env/classic"
	"tarry/env/probe"
	"tarry/env/wrap"
)

// fine gives a wrapper's result where its arguments are known to be right.
func fine(e env.Env, err error) env.Env {
	if err != nil {
		panic(err)
	}
	return e
}

// probeOf makes a probe by id.
func probeOf(id string) env.Env {
	for _, p := range probe.All() {
		if p.ID == id {
			return p.New()
		}
	}
	panic(id)
}

// play resets and takes the same action n times, or until the end.
func play(t *testing.T, e env.Env, n int, action ...float64) []env.Step {
	t.Helper()
	seed := uint64(1)
	if _, _, err := e.Reset(&seed, ""); err != nil {
		t.Fatal(err)
	}
	var out []env.Step
	for range n {
		s, err := e.Step(action)
		if err != nil {
			t.Fatal(err)
		}
		s.Obs = slices.Clone(s.Obs)
		out = append(out, s)
		if s.Done() {
			break
		}
	}
	return out
}

func TestTimeLimit(t *testing.T) {
	e := fine(wrap.TimeLimit(classic.MountainCar(), 7))
	for range 2 { // the count starts anew
		steps := play(t, e, 100, 1)
		if last := steps[len(steps)-1]; len(steps) != 7 || !last.Truncated || last.Terminated {
			t.Errorf("%d steps, the last truncated %v, terminated %v, want 7, true, false", len(steps), last.Truncated,
				last.Terminated)
		}
	}
	// An end on the last step is both.
	e = fine(wrap.TimeLimit(probeOf("probe/Constant-v0"), 1))
	if s := play(t, e, 1, 0); !s[0].Terminated || !s[0].Truncated {
		t.Errorf("an end at the limit: terminated %v, truncated %v, want both", s[0].Terminated, s[0].Truncated)
	}
	if e.Spec().MaxSteps != 1 || !slices.Equal(e.Spec().Wrappers, []string{"TimeLimit:steps=1"}) {
		t.Errorf("spec %+v does not say what the wrapper does", e.Spec())
	}
}

func TestStatistics(t *testing.T) {
	e := wrap.EpisodeStatistics(fine(wrap.TimeLimit(classic.MountainCar(), 9)))
	for range 2 {
		for i, s := range play(t, e, 9, 2) {
			switch {
			case i < 8 && s.Info.Episode != nil:
				t.Errorf("step %d has a sum before the end", i)
			case i == 8 && (s.Info.Episode == nil || *s.Info.Episode != env.Episode{Return: -9, Steps: 9, Elapsed: 9}):
				t.Errorf("the sum is %+v, want -9 over 9 steps", s.Info.Episode)
			}
		}
	}
	state, err := env.Snapshot(e)
	if err != nil {
		t.Fatal(err)
	}
	s, err := env.Restore(wrap.EpisodeStatistics(fine(wrap.TimeLimit(classic.MountainCar(), 9))), state)
	if err != nil || s.Info.Episode == nil || s.Info.Episode.Return != -9 || !s.Truncated {
		t.Errorf("restored at the end: %+v, error %v, want the sum again", s, err)
	}
}

func TestNormalizeObservation(t *testing.T) {
	plain, scaled := classic.Pendulum(), wrap.NormalizeObservation(classic.Pendulum())
	m := env.NewMoments(3)
	seed := uint64(1)
	obs, _, err := plain.Reset(&seed, "")
	if err != nil {
		t.Fatal(err)
	}
	m.Add(obs)
	want := play(t, plain, 50, 1.5)
	for i, s := range play(t, scaled, 50, 1.5) {
		m.Add(want[i].Obs)
		for j, x := range want[i].Obs {
			if s.Obs[j] != m.Scale(j, x, 10) {
				t.Fatalf("step %d: number %d is %v, want %v", i, j, s.Obs[j], m.Scale(j, x, 10))
			}
		}
	}
	if n := scaled.Moments().Count(); math.Abs(n-51) > 1e-3 {
		t.Errorf("%v observations were counted, want 51", n)
	}
	saved, err := scaled.Moments().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	frozen := wrap.NormalizeObservation(classic.Pendulum())
	if err := frozen.Moments().UnmarshalBinary(saved); err != nil {
		t.Fatal(err)
	}
	wrap.Freeze(wrap.OrderEnforcing(frozen), true)
	for i, s := range play(t, frozen, 20, 1.5) {
		if s.Obs[2] != m.Scale(2, want[i].Obs[2], 10) {
			t.Fatalf("frozen, step %d: number 2 is %v, want %v", i, s.Obs[2], m.Scale(2, want[i].Obs[2], 10))
		}
	}
	if frozen.Moments().Count() != scaled.Moments().Count() {
		t.Error("a frozen wrapper still learned")
	}
}

func TestNormalizeReward(t *testing.T) {
	const gamma = 0.5
	e, err := wrap.NormalizeReward(classic.MountainCar(), gamma)
	if err != nil {
		t.Fatal(err)
	}
	// Every reward is -1: the discounted sums are -1, -1.5, -1.75, ...
	m, sum := env.NewMoments(1), 0.0
	for i, s := range play(t, e, 30, 1) {
		sum = gamma*sum - 1
		m.Add([]float64{sum})
		if want := max(-10, -1/math.Sqrt(m.Var(0)+1e-8)); s.Reward != want {
			t.Fatalf("step %d: reward %v, want %v", i, s.Reward, want)
		}
	}
	before := e.Moments().Count()
	e.Freeze(true)
	play(t, e, 5, 1)
	if e.Moments().Count() != before {
		t.Error("a frozen wrapper still learned")
	}
	// Time counts in the discount: probe/Waiting takes up to 8 units in its first step.
	w, err := wrap.NormalizeReward(probeOf("probe/Waiting-v0"), gamma)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range play(t, w, 2, 0) {
		if math.IsNaN(s.Reward) {
			t.Error("the reward is NaN")
		}
	}
	if m := w.Moments(); math.Abs(m.Mean(0)-0.5) > 1e-3 {
		t.Errorf("mean discounted sum %v, want about (0+1)/2", m.Mean(0))
	}
}

// What normalising wrappers have learnt is part of a snapshot.
func TestLearningGoesOnFromASnapshot(t *testing.T) {
	tower := func() env.Env {
		n, err := wrap.NormalizeReward(wrap.NormalizeObservation(classic.Pendulum()), 0.9)
		return fine(n, err)
	}
	a, b := tower(), tower()
	play(t, a, 20, 1)
	state, err := env.Snapshot(a)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := env.Restore(b, state); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		s, err := a.Step([]float64{-2})
		if err != nil {
			t.Fatal(err)
		}
		r, err := b.Step([]float64{-2})
		if err != nil || r.Reward != s.Reward || !slices.Equal(r.Obs, s.Obs) {
			t.Fatalf("%+v after a restore, want %+v (error %v)", r, s, err)
		}
	}
}

func TestActions(t *testing.T) {
	want := play(t, classic.Pendulum(), 5, 2)
	for name, steps := range map[string][]env.Step{
		"clipped":  play(t, fine(wrap.ClipAction(classic.Pendulum())), 5, 77),
		"infinite": play(t, fine(wrap.ClipAction(classic.Pendulum())), 5, math.Inf(1)),
		"rescaled": play(t, fine(wrap.RescaleAction(classic.Pendulum(), -3, 5)), 5, 5),
		"both":     play(t, fine(wrap.ClipAction(fine(wrap.RescaleAction(classic.Pendulum(), -1, 1)))), 5, 1.5),
	} {
		for i := range want {
			if steps[i].Reward != want[i].Reward || !slices.Equal(steps[i].Obs, want[i].Obs) {
				t.Errorf("%s: step %d is %+v, want %+v", name, i, steps[i], want[i])
			}
		}
	}
	half := play(t, fine(wrap.RescaleAction(classic.Pendulum(), 0, 1)), 1, 0.75)
	if plain := play(t, classic.Pendulum(), 1, 1); half[0].Reward != plain[0].Reward {
		t.Errorf("0.75 of [0, 1] pays %v, want what 1 of [-2, 2] pays, %v", half[0].Reward, plain[0].Reward)
	}
	for name, c := range map[string]struct {
		e env.Env
		a []float64
	}{
		"NaN":       {fine(wrap.ClipAction(classic.Pendulum())), []float64{math.NaN()}},
		"too many":  {fine(wrap.ClipAction(classic.Pendulum())), []float64{1, 1}},
		"too large": {fine(wrap.RescaleAction(classic.Pendulum(), -1, 1)), []float64{1.01}},
	} {
		if _, _, err := c.e.Reset(nil, ""); err != nil {
			t.Fatal(err)
		}
		if _, err := c.e.Step(c.a); !errors.Is(err, env.ErrInvalidAction) {
			t.Errorf("%s: %v, want ErrInvalidAction", name, err)
		}
	}
}

func TestTimeAware(t *testing.T) {
	e := fine(wrap.TimeAware(fine(wrap.TimeLimit(classic.MountainCar(), 4))))
	obs, _, err := e.Reset(nil, "")
	if err != nil || obs[2] != 0 {
		t.Fatalf("first observation %v, error %v, want a last number of 0", obs, err)
	}
	for i, s := range play(t, e, 4, 1) {
		if want := float64(i+1) / 4; s.Obs[2] != want || len(s.Obs) != 3 {
			t.Errorf("step %d: observation %v, want a last number of %v", i, s.Obs, want)
		}
	}
}

func TestBadWrappersAreTold(t *testing.T) {
	for text, want := range map[string]string{
		"TimeLimit:steps=0":            `steps is "0"`,
		"TimeLimit:stesp=3":            "stesp",
		"NormalizeReward:gamma=2":      `gamma is "2"`,
		"RescaleAction:low=3,high=1":   "the action is Discrete (2 choices), expected a Box",
		"ClipAction":                   "the action is Discrete (2 choices)",
		"TimeAware":                    "there is no time limit",
		"Timelimit":                    `wrapper "Timelimit": unknown, expected one of TimeLimit`,
		"Flatten:x=1":                  "x",
		"OrderEnforcing:steps=1,low=2": "low",
	} {
		if _, err := wrap.Apply(classic.CartPole(), text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", text, err, want)
		}
	}
	if _, err := wrap.TimeLimit(classic.CartPole(), 0); err == nil {
		t.Error("a limit of 0 was taken")
	}
	if _, err := wrap.RescaleAction(classic.Pendulum(), 1, 1); err == nil {
		t.Error("an empty range was taken")
	}
	if _, err := wrap.RescaleAction(fine(wrap.ClipAction(classic.Pendulum())), -1, 1); err == nil {
		t.Error("an unbounded action was rescaled")
	}
	if _, err := wrap.NormalizeReward(classic.Pendulum(), math.NaN()); err == nil {
		t.Error("a gamma of NaN was taken")
	}
	// Settings that are not given have their defaults.
	e, err := wrap.Apply(classic.Pendulum(), "RescaleAction")
	if err != nil || e.Spec().Wrappers[0] != "RescaleAction:low=-1,high=1" {
		t.Errorf("%v, error %v, want the defaults", e, err)
	}
}

// Each line of Spec().Wrappers makes its layer again.
func TestWrappersMakeThemselvesAgain(t *testing.T) {
	var e env.Env = classic.Pendulum()
	lines := []string{"RescaleAction:low=-1,high=1", "ClipAction", "TimeLimit:steps=25", "EpisodeStatistics",
		"Flatten", "TimeAware",
		"NormalizeObservation", "NormalizeReward:gamma=0.97", "OrderEnforcing"}
	for _, l := range lines {
		var err error
		if e, err = wrap.Apply(e, l); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(e.Spec().Wrappers, lines) {
		t.Errorf("wrappers %q, want %q", e.Spec().Wrappers, lines)
	}
	if _, ok := env.Find[*wrap.ObservationNormalizer](e); !ok {
		t.Error("the layer that normalises was not found")
	}
	if s := classic.Pendulum().Spec(); len(s.Wrappers) != 0 || s.MaxSteps != 0 {
		t.Errorf("wrapping changed the environment's own spec: %+v", s)
	}
}

func BenchmarkTower(b *testing.B) {
	e := wrap.OrderEnforcing(wrap.EpisodeStatistics(fine(wrap.TimeLimit(classic.CartPole(), 500))))
	b.ReportAllocs()
	action := []float64{0}
	done := true
	for i := 0; b.Loop(); i++ {
		if done {
			if _, _, err := e.Reset(nil, ""); err != nil {
				b.Fatal(err)
			}
		}
		action[0] = float64(i & 1)
		s, err := e.Step(action)
		if err != nil {
			b.Fatal(err)
		}
		done = s.Done()
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "steps/s")
}

func Example() {
	e, err := wrap.Apply(classic.MountainCar(), "TimeLimit:steps=3")
	if err != nil {
		fmt.Println(err)
		return
	}
	e = wrap.EpisodeStatistics(e)
	seed := uint64(1)
	_, _, err = e.Reset(&seed, "")
	for err == nil {
		var s env.Step
		if s, err = e.Step([]float64{2}); s.Done() {
			fmt.Printf("truncated %v, return %v after %d steps\n", s.Truncated, s.Info.Episode.Return,
				s.Info.Episode.Steps)
			break
		}
	}
	fmt.Println(e.Spec().Wrappers, err)
	// Output:
	// truncated true, return -3 after 3 steps
	// [TimeLimit:steps=3 EpisodeStatistics] <nil>
}
