package env

import (
	"errors"
	"math"
	"strings"
	"testing"

	"tarry/sim/rng"
)

func TestIDs(t *testing.T) {
	for _, c := range []struct {
		text string
		want ID
	}{
		{"tarry/DelayTimer-v0", ID{"tarry", "DelayTimer", 0}},
		{"CartPole-v12", ID{"", "CartPole", 12}},
		{"my-space/A.b_c-v1-v2", ID{"my-space", "A.b_c-v1", 2}},
	} {
		got, err := ParseID(c.text)
		if err != nil || got != c.want || got.String() != c.text {
			t.Errorf("%q read as %+v (%v), error %v, want %+v", c.text, got, got, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"CartPole": "no version", "": "no version", "a/b/C-v1": `name is "b/C"`, "/C-v1": `namespace is ""`,
		"C-v":   `version is ""`,
		"C-v-1": `version is "-1"`, "C-v01": `version is "01"`, "C-v99999999999": "version is", "-v1": `name is ""`,
		"a:b/C-v1": `namespace is "a:b"`,
		"a b-v1":   `name is "a b"`,
	} {
		if got, err := ParseID(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q read as %+v, error %v, want one with %q", text, got, err, want)
		}
	}
}

func FuzzParseID(f *testing.F) {
	f.Add("tarry/DelayTimer-v0")
	f.Add("C-v-v1")
	f.Fuzz(func(t *testing.T, text string) {
		if id, err := ParseID(text); err == nil && id.String() != text {
			t.Fatalf("%q read as %+v, written as %q", text, id, id)
		}
	})
}

// Seeds are part of every published result: these must never move.
func TestSeedsAreFrozenAndUnrelated(t *testing.T) {
	if got := []uint64{HashSeed(0, "train"), HashSeed(7, "episode", 3, 11)}; got[0] != 1070709331092584565 ||
		got[1] != 11521038871307621230 {
		t.Errorf("seeds are %d, want the frozen ones", got)
	}
	seen := map[uint64]bool{}
	for root := range uint64(20) {
		for i := range uint64(20) {
			for _, p := range []string{"train", "eval"} {
				seen[HashSeed(root, p, i)] = true
			}
		}
	}
	seen[HashSeed(0, "train")], seen[HashSeed(0, "train", 0, 0)], seen[HashSeed(0, "train", 11)],
		seen[HashSeed(0, "train", 1, 1)] = true, true, true, true
	if len(seen) != 20*20*2+3 {
		t.Errorf("%d different seeds, want %d", len(seen), 20*20*2+3)
	}
}

func TestCheckAction(t *testing.T) {
	for _, c := range []struct {
		space  Space
		mask   []bool
		action []float64
		want   string
	}{
		{Discrete{N: 2}, nil, []float64{1}, ""},
		{Discrete{N: 2}, []bool{true, false}, []float64{0}, ""},
		{Discrete{N: 2}, []bool{true, false}, []float64{1}, "a/B-v0: invalid action: [1] is masked out"},
		{Discrete{N: 2}, nil, []float64{2}, "a/B-v0: invalid action: 2, expected a whole number from 0 to 1"},
		{Discrete{N: 2}, nil, nil, "0 numbers, expected 1"},
		{NewBox(-1, 1, 2), nil, []float64{0, math.Inf(1)}, "number 1 is +Inf"},
		{NewBox(-1, 1, 2), nil, []float64{0, 1}, ""},
	} {
		spec := &Spec{ID: "a/B-v0", Action: c.space}
		err := CheckAction(spec, c.mask, c.action)
		if (err == nil) != (c.want == "") || err != nil && (!errors.Is(err, ErrInvalidAction) ||
			!strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v in %v under %v: %v, want %q", c.action, c.space, c.mask, err, c.want)
		}
	}
}

func TestCheckingAndSamplingAllocateNothing(t *testing.T) {
	for _, s := range spaces() {
		spec := &Spec{Action: s}
		x, flat := make([]float64, s.Len()), make([]float64, FlatDim(s))
		mask := make([]bool, MaskLen(s))
		for i := range mask {
			mask[i] = true
		}
		r := rng.Source{}.Stream("x")
		if n := testing.AllocsPerRun(100, func() {
			if s.Sample(x, r, nil) != nil || CheckAction(spec, mask, x) != nil || !s.Contains(x) {
				t.Fatal("refused")
			}
			Flatten(flat, s, x)
		}); n != 0 {
			t.Errorf("%v: %v allocations, want 0", s, n)
		}
	}
}

func TestMomentsAgainstTwoPasses(t *testing.T) {
	r := rng.Source{Seed: 5}.Stream("moments")
	const n = 5000
	m := NewMoments(2)
	rows := make([]float64, 0, 2*n)
	for range n {
		rows = append(rows, 1e6+r.NormFloat64(), -3*r.ExpFloat64())
	}
	m.Add(rows[:2*100])
	m.Add(rows[2*100:])
	for i := range 2 {
		mean, v := 0.0, 0.0
		for k := range n {
			mean += rows[2*k+i] / n
		}
		for k := range n {
			v += (rows[2*k+i] - mean) * (rows[2*k+i] - mean) / n
		}
		// The start counts as 1e-4 samples at 0, which pull at a mean of 1e6 with 1e-4*1e12/n.
		slack := 1e-9 + 1e-4/n*mean*mean
		if math.Abs(m.Mean(i)-mean) > 1e-6*math.Abs(mean) || math.Abs(m.Var(i)-v) > slack+1e-6*v {
			t.Errorf("quantity %d: mean %v, variance %v, want %v, %v", i, m.Mean(i), m.Var(i), mean, v)
		}
	}
	if m.Len() != 2 || math.Abs(m.Count()-n) > 1e-3 {
		t.Errorf("%d quantities, count %v, want 2, %v", m.Len(), m.Count(), n)
	}
}

func TestMomentsStartAndScale(t *testing.T) {
	m := NewMoments(1)
	if m.Mean(0) != 0 || m.Var(0) != 1 {
		t.Errorf("mean %v, variance %v at the start, want 0 and 1", m.Mean(0), m.Var(0))
	}
	if got := m.Scale(0, 50, 10); got != 10 {
		t.Errorf("scaled to %v, want the limit 10", got)
	}
	m.Add([]float64{1, 1, 3, 3})
	// Mean 2, variance 1 but for the start's small weight.
	if got := m.Scale(0, 4, 10); math.Abs(got-2) > 1e-3 {
		t.Errorf("scaled to %v, want about 2", got)
	}
	saved, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	fresh := NewMoments(1)
	if err := fresh.UnmarshalBinary(saved); err != nil || fresh.Mean(0) != m.Mean(0) || fresh.Var(0) != m.Var(0) ||
		fresh.Count() != m.Count() {
		t.Errorf("came back as %+v, error %v, want %+v", fresh, err, m)
	}
	bad := NewMoments(1)
	bad.Add([]float64{math.NaN()})
	nan, err := bad.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{nil, saved[1:], nan} {
		if err := fresh.UnmarshalBinary(data); err == nil {
			t.Error("bad moments were taken")
		}
	}
	if err := NewMoments(2).UnmarshalBinary(saved); err == nil {
		t.Error("moments of another length were taken")
	}
	if fresh.Mean(0) != m.Mean(0) {
		t.Error("a failed load changed the moments")
	}
}

// bare is an environment without snapshots; wrapped is a layer around it.
type bare struct{ Env }

func (bare) Spec() *Spec { return &Spec{ID: "a/Bare-v0"} }

type wrapped struct{ bare }

func (d wrapped) Unwrap() Env { return d.bare }

func TestFindAndSnapshotOfWhatHasNone(t *testing.T) {
	if d, ok := Find[wrapped](wrapped{}); !ok || d.Unwrap() != Env(bare{}) {
		t.Error("the outer layer was not found")
	}
	if _, ok := Find[bare](wrapped{}); !ok {
		t.Error("the inner layer was not found")
	}
	if _, ok := Find[Snapshotter](wrapped{}); ok {
		t.Error("a snapshotter was found where there is none")
	}
	if _, err := Snapshot(bare{}); !errors.Is(err, errors.ErrUnsupported) ||
		!strings.Contains(err.Error(), "a/Bare-v0") {
		t.Errorf("snapshot: %v, want ErrUnsupported", err)
	}
	if _, err := Restore(bare{}, nil); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("restore: %v, want ErrUnsupported", err)
	}
}
