package vec

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/env"
	"tarry/env/classic"
	"tarry/env/probe"
	"tarry/env/wrap"
	"tarry/sim/rng"
)

// cars makes mountain cars that are cut after 10+i steps.
func cars(i int) (env.Env, error) { return wrap.TimeLimit(classic.MountainCar(), 10+i) }

func poles(int) (env.Env, error) { return wrap.TimeLimit(classic.CartPole(), 500) }

func masked(int) (env.Env, error) {
	for _, p := range probe.All() {
		if p.ID == "probe/Masked-v0" {
			return p.New(), nil
		}
	}
	return nil, errors.New("no such probe")
}

func open(t testing.TB, cfg Config) *Vec {
	t.Helper()
	v, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	})
	return v
}

func started(t testing.TB, v *Vec) *Batch {
	t.Helper()
	b, err := v.Reset()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// acts draws legal actions for all environments.
func acts(t testing.TB, v *Vec, b *Batch, s *rng.Stream, dst []float64) {
	t.Helper()
	n := v.Spec().Action.Len()
	for i := range v.N() {
		if err := v.Spec().Action.Sample(dst[i*n:(i+1)*n], s, b.MaskOf(i)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAutoreset(t *testing.T) {
	v := open(t, Config{New: cars, N: 3, Seed: 4})
	b := started(t, v)
	for i := range 3 {
		if !slices.Equal(b.ObsOf(i), b.FinalObsOf(i)) || b.Done(i) || b.Reward[i] != 0 {
			t.Errorf("after a reset: %+v", b)
		}
	}
	actions := []float64{0, 1, 2}
	var before [3][]float64
	for n := 1; n <= 40; n++ {
		for i := range before {
			before[i] = slices.Clone(b.ObsOf(i))
		}
		var err error
		if b, err = v.Step(actions); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			limit := 10 + i
			done := n%limit == 0
			if b.Done(i) != done || b.Truncated[i] != done || b.Terminated[i] || b.Reward[i] != -1 ||
				b.Elapsed[i] != 1 {
				t.Fatalf("step %d of environment %d: done %v, truncated %v, reward %v, want %v", n, i, b.Done(i),
					b.Truncated[i], b.Reward[i], done)
			}
			if want := (env.Episode{Return: -float64((n-1)%limit + 1), Steps: (n-1)%limit + 1,
				Elapsed: float64((n-1)%limit + 1)}); b.Episodes[i] != want {
				t.Fatalf("step %d of environment %d: episode %+v, want %+v", n, i, b.Episodes[i], want)
			}
			if same := slices.Equal(b.ObsOf(i), b.FinalObsOf(i)); same == done {
				t.Fatalf("step %d of environment %d: final observation %v, next %v, done %v", n, i, b.FinalObsOf(i),
					b.ObsOf(i), done)
			}
			// The final observation is one step away from where it was: it does not belong to the
			// new episode.
			if math.Abs(b.FinalObsOf(i)[0]-before[i][0]) > 0.07 {
				t.Fatalf("step %d of environment %d: from %v to %v", n, i, before[i], b.FinalObsOf(i))
			}
		}
		if n == 10 { // episode 1 of environment 0 starts from its own seed
			e := classic.MountainCar()
			seed := env.HashSeed(4, "episode", 0, 1)
			obs, _, err := e.Reset(&seed, "")
			if err != nil || !slices.Equal(obs, b.ObsOf(0)) {
				t.Errorf("episode 1 starts at %v, want %v (error %v)", b.ObsOf(0), obs, err)
			}
		}
	}
}

// trace plays n steps and copies each batch.
func trace(t testing.TB, v *Vec, b *Batch, s *rng.Stream, n int) []*Batch {
	t.Helper()
	actions := make([]float64, v.N()*v.Spec().Action.Len())
	var out []*Batch
	for range n {
		acts(t, v, b, s, actions)
		var err error
		if b, err = v.Step(actions); err != nil {
			t.Fatal(err)
		}
		c := newBatch(v.N(), v.Spec())
		for k, f := range b.floats() {
			copy(c.floats()[k], f)
		}
		for k, f := range b.bools() {
			copy(c.bools()[k], f)
		}
		copy(c.Episodes, b.Episodes)
		out = append(out, c)
	}
	return out
}

func TestWorkersMoveNothing(t *testing.T) {
	for _, make := range []func(int) (env.Env, error){poles, masked} {
		var want []*Batch
		for _, workers := range []int{0, 1, 2, 3, 7, 50} {
			v := open(t, Config{New: make, N: 7, Workers: workers, Seed: 9})
			got := trace(t, v, started(t, v), rng.Source{}.Stream("workers"), 200)
			if want == nil {
				want = got
				continue
			}
			for k := range want {
				if !got[k].equal(want[k]) {
					t.Fatalf("%d workers: step %d is %+v, want %+v", workers, k, got[k], want[k])
				}
			}
		}
	}
}

func TestSnapshotsGoOn(t *testing.T) {
	for _, make := range []func(int) (env.Env, error){poles, masked} {
		a := open(t, Config{New: make, N: 4, Seed: 2})
		b := open(t, Config{New: make, N: 4, Workers: 2, Seed: 2})
		s := rng.Source{}.Stream("snapshot")
		trace(t, a, started(t, a), s, 37)
		state, err := a.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		acting, err := s.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		want := trace(t, a, a.batch, s, 100)
		again, err := b.Restore(state)
		if err != nil {
			t.Fatal(err)
		}
		if twice, err := b.Snapshot(); err != nil || !slices.Equal(twice, state) {
			t.Errorf("a snapshot after Restore differs (error %v)", err)
		}
		if err := s.UnmarshalBinary(acting); err != nil {
			t.Fatal(err)
		}
		for k, got := range trace(t, b, again, s, 100) {
			if !got.equal(want[k]) {
				t.Fatalf("step %d after Restore is %+v, want %+v", k, got, want[k])
			}
		}
		for name, v := range map[string]*Vec{
			"another seed":   open(t, Config{New: make, N: 4, Seed: 3}),
			"another number": open(t, Config{New: make, N: 5, Seed: 2}),
			"another kind":   open(t, Config{New: cars, N: 4, Seed: 2}),
		} {
			if _, err := v.Restore(state); !errors.Is(err, env.ErrSnapshot) {
				t.Errorf("%s: %v, want ErrSnapshot", name, err)
			}
		}
		for i := range state {
			if _, err := b.Restore(state[:i]); !errors.Is(err, env.ErrSnapshot) {
				t.Fatalf("cut after %d bytes: %v, want ErrSnapshot", i, err)
			}
		}
		if _, err := b.Step(nil); !errors.Is(err, env.ErrResetNeeded) {
			t.Errorf("a step after a failed Restore: %v, want ErrResetNeeded", err)
		}
	}
}

func TestCallsInTheWrongOrder(t *testing.T) {
	v := open(t, Config{New: poles, N: 2})
	if _, err := v.Step([]float64{0, 0}); !errors.Is(err, env.ErrResetNeeded) {
		t.Errorf("step before reset: %v", err)
	}
	started(t, v)
	if _, err := v.Step([]float64{0}); !errors.Is(err, env.ErrInvalidAction) {
		t.Errorf("one action for two: %v", err)
	}
	_, err := v.Step([]float64{0, 7})
	if !errors.Is(err, env.ErrInvalidAction) || !strings.Contains(err.Error(), "environment 1") ||
		strings.Contains(err.Error(), "environment 0") {
		t.Errorf("a bad action for environment 1: %v", err)
	}
	if _, err := v.Step([]float64{0, 0}); !errors.Is(err, env.ErrResetNeeded) {
		t.Errorf("step after an error: %v, want ErrResetNeeded", err)
	}
	started(t, v)
	if err := v.Close(); err != nil {
		t.Error(err)
	}
	_, errReset := v.Reset()
	_, errStep := v.Step([]float64{0, 0})
	_, errSave := v.Snapshot()
	_, errLoad := v.Restore(nil)
	for _, err := range []error{errReset, errStep, errSave, errLoad} {
		if !errors.Is(err, env.ErrClosed) {
			t.Errorf("after Close: %v, want ErrClosed", err)
		}
	}
}

// closing counts how often it was closed.
type closing struct {
	env.Env
	n *int
}

func (c closing) Close() error { *c.n++; return errors.New("stuck") }

func TestNewRefuses(t *testing.T) {
	for name, cfg := range map[string]Config{
		"none": {New: poles}, "fewer": {New: poles, N: -1}, "workers": {New: poles, N: 1, Workers: -1},
		"no constructor": {N: 1},
	} {
		if _, err := New(cfg); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	n := 0
	_, err := New(Config{N: 3, New: func(i int) (env.Env, error) {
		if i == 2 {
			return nil, errors.New("no room")
		}
		return closing{classic.CartPole(), &n}, nil
	}})
	if n != 2 || err == nil || !strings.Contains(err.Error(), "environment 2: no room") ||
		!strings.Contains(err.Error(), "environment 1: stuck") {
		t.Errorf("%d closed, error %v, want 2 closed and all errors", n, err)
	}
	_, err = New(Config{N: 2, New: func(i int) (env.Env, error) {
		if i == 1 {
			return classic.Acrobot(), nil
		}
		return classic.CartPole(), nil
	}})
	if err == nil || !strings.Contains(err.Error(), "environment 1 is classic/Acrobot-v1 with other spaces") {
		t.Errorf("mixed environments: %v", err)
	}
	v := open(t, Config{N: 1, New: func(int) (env.Env, error) { return classic.CartPole(), nil },
		Options: "colour=red"})
	if _, err := v.Reset(); err == nil || !strings.Contains(err.Error(), "colour") {
		t.Errorf("a bad option: %v", err)
	}
}

func TestNormalizer(t *testing.T) {
	const gamma = 0.9
	v := open(t, Config{New: cars, N: 2, Seed: 1})
	n, err := NewNormalizer(v, NormalizerConfig{Obs: true, Reward: true, Gamma: gamma})
	if err != nil {
		t.Fatal(err)
	}
	plain := open(t, Config{New: cars, N: 2, Seed: 1})
	obs, ret, sums := env.NewMoments(2), env.NewMoments(1), make([]float64, 2)
	b, raw := started(t, v), started(t, plain)
	obs.Add(raw.Obs)
	n.Reset(b)
	check := func() {
		t.Helper()
		for i := range raw.Obs {
			if b.Obs[i] != obs.Scale(i%2, raw.Obs[i], 10) || b.FinalObs[i] != obs.Scale(i%2, raw.FinalObs[i], 10) {
				t.Fatalf("observations %v and %v of %v and %v", b.Obs, b.FinalObs, raw.Obs, raw.FinalObs)
			}
		}
	}
	check()
	step := func() {
		t.Helper()
		var err error
		if b, err = v.Step([]float64{0, 2}); err != nil {
			t.Fatal(err)
		}
		if raw, err = plain.Step([]float64{0, 2}); err != nil {
			t.Fatal(err)
		}
		n.Step(b)
	}
	for range 50 {
		step()
		obs.Add(raw.Obs)
		for i := range sums {
			sums[i] = gamma*sums[i] + raw.Reward[i]
		}
		ret.Add(sums)
		for i := range sums {
			if want := max(-10, raw.Reward[i]/math.Sqrt(ret.Var(0)+1e-8)); b.Reward[i] != want {
				t.Fatalf("reward %v, want %v", b.Reward[i], want)
			}
			if raw.Done(i) {
				sums[i] = 0
			}
		}
		check()
	}
	n.Freeze(true)
	step()
	check() // by the moments as they were
	saved, err := n.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for _, envs := range []int{2, 5} {
		m, err := NewNormalizer(open(t, Config{New: cars, N: envs}),
			NormalizerConfig{Obs: true, Reward: true, Gamma: gamma})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.UnmarshalBinary(saved); err != nil {
			t.Fatal(err)
		}
		x, y := []float64{-0.5, 0.01}, []float64{-0.5, 0.01}
		m.Observe(x)
		n.Observe(y)
		if !slices.Equal(x, y) || x[0] == -0.5 {
			t.Errorf("loaded for %d environments: %v, want %v", envs, x, y)
		}
		if again, err := m.MarshalBinary(); (envs == 2) != (err == nil && slices.Equal(again, saved)) {
			t.Errorf("loaded for %d environments: saved again as other bytes: %v", envs, err)
		}
	}
	for name, cfg := range map[string]NormalizerConfig{
		"no rewards": {Obs: true, Gamma: gamma}, "nothing": {Gamma: gamma},
		"another gamma": {Obs: true, Reward: true, Gamma: 0.5},
	} {
		m, err := NewNormalizer(v, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.UnmarshalBinary(saved); err == nil {
			t.Errorf("%s: loaded", name)
		}
	}
	for i := range saved {
		if err := n.UnmarshalBinary(saved[:i]); err == nil {
			t.Fatalf("cut after %d bytes: loaded", i)
		}
	}
	if _, err := NewNormalizer(v, NormalizerConfig{Gamma: 1.1}); err == nil {
		t.Error("a gamma of 1.1 was taken")
	}
	off, err := NewNormalizer(v, NormalizerConfig{})
	if err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(raw.Obs)
	off.Step(raw)
	if !slices.Equal(before, raw.Obs) || raw.Reward[0] != -1 {
		t.Error("a normaliser of nothing changed something")
	}
}

func TestStepsAllocateNothing(t *testing.T) {
	for _, workers := range []int{1, 2} {
		v := open(t, Config{New: func(int) (env.Env, error) { return classic.Pendulum(), nil }, N: 4, Workers: workers})
		n, err := NewNormalizer(v, NormalizerConfig{Obs: true, Reward: true, Gamma: 0.9})
		if err != nil {
			t.Fatal(err)
		}
		n.Reset(started(t, v))
		actions := make([]float64, 4)
		if a := testing.AllocsPerRun(200, func() {
			b, err := v.Step(actions)
			if err != nil {
				t.Fatal(err)
			}
			n.Step(b)
		}); a != 0 {
			t.Errorf("%d workers: %v allocations per step, want 0", workers, a)
		}
	}
}

// equal reports whether two batches hold the same.
func (b *Batch) equal(c *Batch) bool {
	return slices.EqualFunc(b.floats(), c.floats(), slices.Equal[[]float64]) &&
		slices.EqualFunc(b.bools(), c.bools(), slices.Equal[[]bool]) && slices.Equal(b.Episodes, c.Episodes)
}

// Environments that play alike have one seed for each number of an episode, and Reset brings who is
// behind to the episode of the first; else each has its own.
func TestAlikeEnvironments(t *testing.T) {
	for alike, want := range map[int]struct{ starts, first, second uint64 }{0: {4, 4, 3}, 1: {4, 4, 3}, 2: {2, 4, 4}} {
		v := open(t, Config{New: cars, N: 4, Seed: 7, Alike: alike})
		starts := func(b *Batch) uint64 {
			different := map[float64]bool{}
			for i := range 4 {
				different[b.ObsOf(i)[0]] = true
			}
			return uint64(len(different))
		}
		if n := starts(started(t, v)); n != want.starts {
			t.Errorf("alike %d: %d different starts, expected %d", alike, n, want.starts)
		}
		for range 21 { // cars end after 10, 11, 12 and 13 steps: two are over of the first, one of the second
			if _, err := v.Step(make([]float64, 4)); err != nil {
				t.Fatal(err)
			}
		}
		if n := starts(started(t, v)); n != want.starts || v.episode[0] != want.first || v.episode[1] != want.second {
			t.Errorf("alike %d: %d different starts of episodes %d, expected %+v", alike, n, v.episode, want)
		}
	}
}
