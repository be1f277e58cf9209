package replay

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"tarry/env"
	"tarry/env/probe"
	"tarry/env/vec"
	"tarry/sim/rng"
)

func stream(name string) *rand.Rand { return rng.Source{Seed: 4}.Stream(name).Rand }

// told is a step as a twin remembers it.
type told struct {
	obs, action, next []float64
	mask, nextMask    []bool
	reward, discount  float64
	terminated, ended bool
}

// world makes up steps of environments: numbers that identify where they come from.
type world struct {
	shape Shape
	envs  int
	r     *rand.Rand
	b     *vec.Batch
	steps [][]told // by environment
}

func newWorld(shape Shape, envs int, name string) *world {
	w := &world{shape: shape, envs: envs, r: stream(name), steps: make([][]told, envs)}
	w.b = &vec.Batch{Obs: make([]float64, envs*shape.Obs), FinalObs: make([]float64, envs*shape.Obs),
		Reward:     make([]float64, envs),
		Terminated: make([]bool, envs), Truncated: make([]bool, envs)}
	if shape.Mask > 0 {
		w.b.Mask, w.b.FinalMask = make([]bool, envs*shape.Mask), make([]bool, envs*shape.Mask)
	}
	w.draw(w.b.Obs, w.b.Mask)
	return w
}

func (w *world) draw(obs []float64, mask []bool) {
	for i := range obs {
		obs[i] = w.r.NormFloat64()
	}
	for i := range mask {
		mask[i] = w.r.IntN(2) == 0
	}
}

// step makes a step and gives it to the buffer.
func (w *world) step(buf *Buffer) { w.stepOn(buf.Add) }

// stepOn makes a step and gives it to what keeps it.
func (w *world) stepOn(add func(actions []float64, b *vec.Batch, discount []float64)) {
	s, b := w.shape, w.b
	actions, discount := make([]float64, w.envs*s.Action), make([]float64, w.envs)
	w.draw(actions, nil)
	wasMask := append([]bool(nil), b.Mask...)
	before := append([]float64(nil), b.Obs...)
	w.draw(b.Obs, b.Mask)
	copy(b.FinalObs, b.Obs)
	copy(b.FinalMask, b.Mask)
	for i := range w.envs {
		b.Reward[i], discount[i] = w.r.NormFloat64(), w.r.Float64()
		b.Terminated[i], b.Truncated[i] = w.r.IntN(6) == 0, w.r.IntN(6) == 0
		if b.Terminated[i] || b.Truncated[i] {
			w.draw(b.FinalObs[i*s.Obs:(i+1)*s.Obs], part(b.FinalMask, i, s.Mask))
		}
		w.steps[i] = append(w.steps[i], told{before[i*s.Obs : (i+1)*s.Obs], actions[i*s.Action : (i+1)*s.Action],
			append([]float64(nil), b.FinalObs[i*s.Obs:(i+1)*s.Obs]...),
			part(wasMask, i, s.Mask), append([]bool(nil), part(b.FinalMask, i, s.Mask)...), b.Reward[i], discount[i],
			b.Terminated[i], b.Terminated[i] || b.Truncated[i]})
	}
	add(actions, b, discount)
}

// want is the transition of n steps from step k of environment i, written out.
func (w *world) want(i, k, n int, scale float64) Transition {
	first := w.steps[i][k]
	t := Transition{Obs: first.obs, Mask: first.mask, Action: first.action, Discount: 1}
	for j := k; j < len(w.steps[i]) && j < k+n; j++ {
		s := w.steps[i][j]
		t.Reward += t.Discount * s.reward / scale
		t.Discount *= s.discount
		t.Next, t.NextMask = s.next, s.nextMask
		if s.terminated {
			t.Discount = 0
		}
		if s.ended {
			break
		}
	}
	return t
}

func equal(a, b Transition) bool {
	near := math.Abs(a.Reward-b.Reward) < 1e-12 && math.Abs(a.Discount-b.Discount) < 1e-12
	if a.Discount == 0 { // what comes after has no meaning
		a.Next, b.Next, a.NextMask, b.NextMask = nil, nil, nil, nil
	}
	a.Reward, a.Discount, b.Reward, b.Discount = 0, 0, 0, 0
	return near && fmt.Sprint(a) == fmt.Sprint(b)
}

// The ring gives what a list of all steps gives, for every row, horizon and number of
// environments, before and after it is full, and after saving and loading at any time.
func TestBufferAgainstAList(t *testing.T) {
	for _, c := range []struct {
		shape      Shape
		envs, rows int
	}{{Shape{2, 1, 3}, 1, 7}, {Shape{2, 1, 0}, 3, 10}, {Shape{1, 2, 2}, 2, 1}} {
		w := newWorld(c.shape, c.envs, fmt.Sprint(c))
		buf := NewBuffer(c.shape, c.envs, c.rows)
		buf.Begin(w.b)
		kept := (c.rows + c.envs - 1) / c.envs
		for at := range 30 {
			w.step(buf)
			if at%3 == 0 {
				buf = reload(t, buf, c.shape, c.envs, c.rows)
			}
			if want := min(at+1, kept) * c.envs; buf.Len() != want {
				t.Fatalf("%v: %d rows after %d steps, want %d", c, buf.Len(), at+1, want)
			}
			for row := range buf.Len() {
				i := row % c.envs
				k := at - (at-row/c.envs)%kept // the latest step that went to this row
				for n := 1; n <= 4; n++ {
					if got, want := buf.At(row, n, 2), w.want(i, k, n, 2); !equal(got, want) {
						t.Fatalf("%v, step %d, row %d, %d steps:\n%+v\nwant\n%+v", c, at, row, n, got, want)
					}
				}
			}
		}
	}
}

// reload saves a buffer and loads it into a new one, whose bytes must be the same.
func reload(t *testing.T, b *Buffer, shape Shape, envs, rows int) *Buffer {
	t.Helper()
	data, err := b.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	fresh := NewBuffer(shape, envs, rows)
	if err := fresh.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if again, err := fresh.MarshalBinary(); err != nil || !bytes.Equal(again, data) {
		t.Fatalf("a loaded buffer saves other bytes, error %v", err)
	}
	return fresh
}

func TestBufferRefusesWhatDoesNotFit(t *testing.T) {
	shape := Shape{2, 1, 0}
	w := newWorld(shape, 2, "refuse")
	b := NewBuffer(shape, 2, 6)
	b.Begin(w.b)
	w.step(b)
	data, err := b.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		into *Buffer
		data []byte
		want string
	}{
		{NewBuffer(Shape{3, 1, 0}, 2, 6), data, "replay: observation is 2, expected 3"},
		{NewBuffer(Shape{2, 2, 0}, 2, 6), data, "replay: action is 1, expected 2"},
		{NewBuffer(Shape{2, 1, 1}, 2, 6), data, "replay: mask is 0, expected 1"},
		{NewBuffer(shape, 3, 6), data, "replay: environments is 2, expected 3"},
		{NewBuffer(shape, 2, 8), data, "replay: room is 6, expected 8"},
		{NewBuffer(shape, 2, 6), data[:len(data)-1], "truncated or damaged"},
		{NewBuffer(shape, 2, 6), nil, "truncated"},
	} {
		if err := c.into.UnmarshalBinary(c.data); err == nil || !strings.Contains(err.Error(), c.want) ||
			c.into.Len() != 0 {
			t.Errorf("error is %v, want %q; %d rows", err, c.want, c.into.Len())
		}
	}
}

// Bytes that no buffer wrote are refused, and never panic.
func FuzzBuffer(f *testing.F) {
	shape := Shape{1, 1, 1}
	w := newWorld(shape, 1, "fuzz")
	b := NewBuffer(shape, 1, 4)
	b.Begin(w.b)
	for range 6 {
		w.step(b)
	}
	data, err := b.MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		b := NewBuffer(shape, 1, 4)
		if err := b.UnmarshalBinary(data); err != nil {
			return
		}
		for row := range b.Len() {
			b.At(row, 3, 1)
		}
	})
}

// Draws are uniform over the rows in use.
func TestDraw(t *testing.T) {
	shape := Shape{1, 1, 0}
	w := newWorld(shape, 2, "draw")
	b := NewBuffer(shape, 2, 100)
	b.Begin(w.b)
	for range 5 {
		w.step(b)
	}
	const n = 20_000
	seen, r := make([]float64, 10), stream("draws")
	for range n {
		seen[b.Draw(r)]++
	}
	for row, c := range seen {
		if math.Abs(c/n-0.1) > 5*math.Sqrt(0.1*0.9/n) {
			t.Errorf("row %d was drawn with frequency %.4f, want 0.1", row, c/n)
		}
	}
}

// Rewards that are divided by the scale have returns of deviation 1, as with vec.Normalizer.
func TestScale(t *testing.T) {
	var none *Scale
	if none.Value() != 1 {
		t.Errorf("no scale is %g, want 1", none.Value())
	}
	for _, p := range probe.All() {
		if p.ID != "probe/Seen-v0" {
			continue
		}
		v, err := vec.New(vec.Config{New: func(int) (env.Env, error) { return p.New(), nil }, N: 2, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		norm, err := vec.NewNormalizer(v, vec.NormalizerConfig{Reward: true, Gamma: 0.9})
		if err != nil {
			t.Fatal(err)
		}
		s := NewScale(2)
		if _, err := v.Reset(); err != nil {
			t.Fatal(err)
		}
		for range 50 {
			b, err := v.Step([]float64{0, 0})
			if err != nil {
				t.Fatal(err)
			}
			raw := b.Reward[0]
			s.Add(b, []float64{0.9, 0.9})
			norm.Step(b)
			if got := raw / s.Value(); math.Abs(got-b.Reward[0]) > 1e-12 {
				t.Fatalf("the scaled reward is %g, the normaliser says %g", got, b.Reward[0])
			}
		}
		data, err := s.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		fresh := NewScale(2)
		if err := fresh.UnmarshalBinary(data); err != nil || !reflect.DeepEqual(fresh, s) {
			t.Errorf("a loaded scale is %+v, want %+v, error %v", fresh, s, err)
		}
		if err := NewScale(3).UnmarshalBinary(data); err == nil {
			t.Error("a scale for two environments was loaded for three")
		}
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	}
}
