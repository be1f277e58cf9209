package search_test

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tarry/agents/search"
	"tarry/sim/rng"
)

// timers are two, on logarithmic scales.
func timers() search.Space {
	return search.Space{{Name: "t_rack", Kind: search.Log, Lo: 1, Hi: 3600},
		{Name: "t_net", Kind: search.Log, Lo: 1, Hi: 14400}}
}

func TestParseParam(t *testing.T) {
	for text, want := range map[string]search.Param{
		"t_rack=1:3600:log":  {Name: "t_rack", Kind: search.Log, Lo: 1, Hi: 3600},
		" a = -1 : 2.5 ":     {Name: "a", Lo: -1, Hi: 2.5},
		"n=1:8:int":          {Name: "n", Kind: search.Integer, Lo: 1, Hi: 8},
		"n=1:8:logint":       {Name: "n", Kind: search.LogInteger, Lo: 1, Hi: 8},
		"order=network|fifo": {Name: "order", Kind: search.Choice, Choices: []string{"network", "fifo"}},
	} {
		p, err := search.ParseParam(text)
		if err != nil || !reflect.DeepEqual(p, want) {
			t.Errorf("%q gives %+v, %v, expected %+v", text, p, err, want)
		}
		if again, err := search.ParseParam(p.String()); err != nil || !reflect.DeepEqual(again, want) {
			t.Errorf("%q written as %q gives %+v, %v", text, p.String(), again, err)
		}
	}
	for text, want := range map[string]string{
		"":            `parameter "": expected NAME=LO:HI, NAME=LO:HI:log|int|logint or NAME=A|B|C`,
		"a=1":         `parameter a is "1", expected LO:HI, LO:HI:log|int|logint or A|B|C`,
		"a=x:y":       "parameter a: bound \"x\", expected a number\nparameter a: bound \"y\", expected a number",
		"a=1:2:exp":   `parameter a: kind "exp", expected log, int or logint`,
		"a=2:1":       "parameter a: bounds 2:1, expected two finite numbers, the smaller one first",
		"a=1:inf":     "parameter a: bounds 1:+Inf, expected two finite numbers, the smaller one first",
		"a=0:1:log":   "parameter a: lower bound 0, expected one above 0 for a logarithmic scale",
		"a=0.5:2:int": "parameter a: bounds 0.5:2, expected whole numbers",
		"a=x|":        `parameter a: choice "" is empty or appears twice`,
		"a=x|x":       `parameter a: choice "x" is empty or appears twice`,
	} {
		if _, err := search.ParseParam(text); err == nil || err.Error() != want {
			t.Errorf("%q gives %v, expected %s", text, err, want)
		}
	}
	if err := (search.Space{{Name: "a", Hi: 1}, {Name: "a", Hi: 1}}).Validate(); err == nil ||
		err.Error() != "parameter a appears twice" {
		t.Errorf("a name twice gives %v", err)
	}
}

// FuzzParseParam: what is read is written and read again alike, and its values lie within its
// bounds.
func FuzzParseParam(f *testing.F) {
	for _, s := range []string{"t=1:3600:log", "a=-1:2", "n=1:8:int", "n=1:64:logint", "o=x|y|z", "a=:", "=",
		"a=1e308:2e308:log"} {
		f.Add(s, 0.3)
	}
	f.Fuzz(func(t *testing.T, text string, u float64) {
		p, err := search.ParseParam(text)
		if err != nil {
			return
		}
		again, err := search.ParseParam(p.String())
		if err != nil || !reflect.DeepEqual(again, p) {
			t.Fatalf("%q written as %q gives %+v, %v, expected %+v", text, p.String(), again, err, p)
		}
		if v := p.Value(u); p.Kind != search.Choice && !(v >= p.Lo && v <= p.Hi) {
			t.Fatalf("%q at %v is %v", text, u, v)
		}
		if s := p.Snap(u); !(s >= 0 && s <= 1) || p.Count() > 0 && p.Count() < 1000 && p.Snap(s) != s {
			t.Fatalf("%q snaps %v to %v and that to %v", text, u, s, p.Snap(s))
		}
	})
}

// Values and coordinates are each other's inverse; the scales are what they are called.
func TestScales(t *testing.T) {
	p := search.Param{Name: "t", Kind: search.Log, Lo: 1, Hi: 10_000}
	if got := p.Value(0.5); math.Abs(got-100) > 1e-9 {
		t.Errorf("the middle of 1:10000:log is %v, expected 100", got)
	}
	if got := p.Text(0.5); got != "100" {
		t.Errorf("written %q", got)
	}
	n := search.Param{Name: "n", Kind: search.Integer, Lo: 1, Hi: 4}
	count := map[string]int{}
	for i := range 4000 {
		u := (float64(i) + 0.5) / 4000
		count[n.Text(u)]++
		if c := p.Coordinate(p.Value(u)); math.Abs(c-u) > 1e-12 {
			t.Fatalf("%v goes to %v and back to %v", u, p.Value(u), c)
		}
	}
	if !reflect.DeepEqual(count, map[string]int{"1": 1000, "2": 1000, "3": 1000, "4": 1000}) {
		t.Errorf("whole numbers have shares %v", count)
	}
	if p.Value(math.NaN()) != p.Value(0.5) || p.Value(-3) != 1 || p.Value(7) != 10_000 || p.Coordinate(0) != 0 ||
		p.Coordinate(1e9) != 1 {
		t.Error("what is outside is not cut to the bounds")
	}
}

func TestGrid(t *testing.T) {
	s := search.Space{{Name: "a", Hi: 1}, {Name: "b", Kind: search.Integer, Lo: 1, Hi: 2},
		{Name: "c", Kind: search.Log, Lo: 1, Hi: 100}}
	for n, want := range map[int]int{1: 1, 2: 2, 7: 6, 8: 8, 12: 12, 17: 16, 18: 18} {
		grid := s.Grid(n)
		if len(grid) != want {
			t.Errorf("a grid of %d has %d points, expected %d", n, len(grid), want)
		}
		seen := map[string]bool{}
		for _, x := range grid {
			seen[strings.Join(s.Texts(x), ",")] = true
		}
		if len(seen) != len(grid) {
			t.Errorf("a grid of %d has %d different points of %d", n, len(seen), len(grid))
		}
	}
	if x := s.Grid(8)[0]; strings.Join(s.Texts(x), ",") != "0,1,1" {
		t.Errorf("the first point is %v", s.Texts(x))
	}
}

// scripted asks for what it is given.
type scripted [][]search.Ask

func (s scripted) Propose(known []search.Observation, _ *rng.Stream) []search.Ask {
	batch := 0
	if len(known) > 0 {
		batch = known[len(known)-1].Batch + 1
	}
	if batch < len(s) {
		return slices.Clone(s[batch])
	}
	return nil
}

func TestOptimiser(t *testing.T) {
	c := search.Config{Space: timers(), Budget: 3, Windows: 2}
	m := scripted{{{X: []float64{-1, 0.2}, To: 2}, {X: []float64{0.5, 2}, To: 1}},
		{{X: []float64{0.1, 0.1}, To: 2}, {X: []float64{0.2, 0.2}, To: 2}}}
	o, err := search.New("scripted", c, m)
	if err != nil {
		t.Fatal(err)
	}
	asks := o.Ask()
	if !reflect.DeepEqual(asks, []search.Ask{{X: []float64{0, 0.2}, To: 2}, {X: []float64{0.5, 1}, To: 1}}) ||
		o.Spent() != 3 {
		t.Fatalf("asks %v, spent %d", asks, o.Spent())
	}
	for _, bad := range []struct {
		values [][]float64
		want   string
	}{{nil, "values of 0 points, 2 were asked for"}, {[][]float64{{1, 2}, {1, 2}},
		"point 1 has 2 values, expected one for each of 1 windows"}} {
		if err := o.Tell(bad.values); err == nil || err.Error() != bad.want {
			t.Errorf("telling %v gives %v, expected %s", bad.values, err, bad.want)
		}
	}
	if err := o.Tell([][]float64{{1, 4}, {math.NaN()}}); err != nil {
		t.Fatal(err)
	}
	k := o.Known()
	if k[0].Mean != 2.5 || k[0].SE != 1.5 || !math.IsInf(k[1].Mean, 1) || !math.IsNaN(k[1].SE) {
		t.Errorf("known %+v", k)
	}
	if got := search.Costs(k); !reflect.DeepEqual(got[0], 2.5) || !(got[1] > 2.5) {
		t.Errorf("costs %v", got)
	}
	if asks = o.Ask(); len(asks) != 1 || o.Spent() != 5 { // the second would be over the budget
		t.Errorf("asks %v, spent %d", asks, o.Spent())
	}
	if err := o.Tell([][]float64{{1, 2}}); err != nil {
		t.Fatal(err)
	}
	if asks = o.Ask(); len(asks) != 0 {
		t.Errorf("asks %v after the end", asks)
	}
	if err := o.Tell(nil); err == nil {
		t.Error("no value is given and taken")
	}
}

// Points count by all their values, and points that were dropped early do not.
func TestTop(t *testing.T) {
	at := func(x float64, values ...float64) search.Observation {
		o := search.Observation{Ask: search.Ask{X: []float64{x}}, Values: values}
		for _, v := range values {
			o.Mean += v / float64(len(values))
		}
		return o
	}
	of := []search.Observation{at(0.1, 1), at(0.2, 4, 4), at(0.3, math.Inf(1), 1), at(0.1, 9, 2), at(0.4, -7),
		at(0.5, 4, 4)}
	var got []float64
	for _, c := range search.Top(of, 3) {
		got = append(got, c.X[0], c.Mean, float64(c.Windows), float64(c.First))
	}
	if want := []float64{0.1, 4, 3, 0, 0.2, 4, 2, 1, 0.5, 4, 2, 5}; !slices.Equal(got, want) {
		t.Errorf("top %v, expected %v", got, want)
	}
	if len(search.Top(nil, 3)) != 0 {
		t.Error("somebody is best of nobody")
	}
}

// FuzzLoad: no bytes make the decoder panic, and what it takes it writes again alike. The checksum
// is put right, so that what it protects is reached.
func FuzzLoad(f *testing.F) {
	c := search.Config{Space: timers(), Budget: 3, Windows: 2}
	m := scripted{{{X: []float64{0, 0.2}, To: 2}}, {{X: []float64{0.1, 0.1}, To: 2}}}
	o, err := search.New("scripted", c, m)
	if err != nil {
		f.Fatal(err)
	}
	add := func() { s := o.Save(); f.Add(s[:len(s)-4]) }
	add()
	o.Ask()
	add()
	if err := o.Tell([][]float64{{1, 2}}); err != nil {
		f.Fatal(err)
	}
	add()
	f.Fuzz(func(t *testing.T, data []byte) {
		data = binary.LittleEndian.AppendUint32(data, crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)))
		if o, err := search.Load("scripted", c, m, data); err == nil && !slices.Equal(o.Save(), data) {
			t.Error("a state that was loaded is written in another way")
		}
	})
}
