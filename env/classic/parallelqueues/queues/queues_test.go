package queues

import (
	"slices"
	"testing"

	"tarry/sim/rng"
)

// begun are queues whose service times and uniform numbers are lists, in order.
func begun(t *testing.T, c Config, service [][]int64, uniform []float64) *System {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	s.Begin(Draws{
		ServiceUS: func(i int) int64 {
			at := service[i][0]
			service[i] = service[i][1:]
			return at
		},
		Uniform: func(int) float64 {
			u := uniform[0]
			uniform = uniform[1:]
			return u
		},
	})
	return s
}

// By hand: two jobs of 3 s each in queue 0, the first at 1 s; the second waits and leaves at 7 s. A
// third finds the queue full. At 8 s both have left, of whose acknowledgements one arrives; the
// other does with the next job.
func TestByHand(t *testing.T) {
	s := begun(t, Config{Buffer: 2, Penalty: 100, RatesPerS: []float64{0.2, 0.1}, Acknowledged: 0.6},
		[][]int64{{3e6, 3e6, 9e6}, {1e6}}, []float64{0.6, 0.59, 0.1})
	for _, x := range []struct {
		queue         int
		after         int64
		reward        float64
		lost          bool
		lengths, acks []int
	}{
		{0, 1e6, -1, false, []int{1, 0}, []int{0, 0}},
		{0, 1e6, -102, false, []int{2, 0}, []int{0, 0}},
		{0, 1e6, -102, true, []int{2, 0}, []int{0, 0}},
		{1, 5e6, -1, false, []int{0, 1}, []int{1, 0}},
		{0, 0, -2, false, []int{1, 1}, []int{1, 0}},
	} {
		reward, lost := s.Hand(x.queue, x.after)
		if reward != x.reward || lost != x.lost || !slices.Equal(s.Lengths, x.lengths) || !slices.Equal(s.Acks, x.acks) {
			t.Errorf("job %d: reward %v, lost %v, lengths %v, acknowledged %v; expected %+v", s.Job, reward, lost, s.Lengths,
				s.Acks, x)
		}
	}
	if want := (3. + 5 + 1 + 9) / 4; s.MeanResponseS() != want || s.Lost != 1 {
		t.Errorf("mean response %v, expected %v; %d lost", s.MeanResponseS(), want, s.Lost)
	}
}

// A departure at the arrival itself makes room.
func TestLeavesAtTheArrival(t *testing.T) {
	s := begun(t, Config{Buffer: 1, RatesPerS: []float64{1}}, [][]int64{{2e6, 2e6}}, []float64{0, 0})
	s.Hand(0, 1e6)
	if _, lost := s.Hand(0, 2e6); lost || s.OnTheWay[0] != 1 || s.Acks[0] != 0 {
		t.Errorf("lost %v, %d on the way, %d acknowledged", lost, s.OnTheWay[0], s.Acks[0])
	}
}

// Rules by hand: sed and sed-published differ where the shortest queue is slow.
func TestRules(t *testing.T) {
	s := begun(t, Config{Buffer: 9, RatesPerS: []float64{4, 1, 1}}, nil, nil)
	state := []struct {
		lengths, acks []int
		uniform       []float64
		want          map[string]int
	}{
		{[]int{3, 2, 1}, []int{0, 2, 1}, []float64{0.1, 0.4, 0.1, 0.4}, map[string]int{"jsq": 2, "jsq2": 1, "sed": 0,
			"sed-published": 2, "jmo": 1, "jmo-e": 1, "round-robin": 2, "sed-open": 1, "sed-room": 0,
			"sed-open-room": 1, "longest-ago": 0}},
		{[]int{7, 1, 1}, []int{1, 1, 1}, []float64{0.9, 0.2, 0.5}, map[string]int{"jsq": 1, "jsq2": 2, "sed": 0,
			"sed-published": 2, "jmo": 2, "jmo-e": 2, "round-robin": 2, "sed-open": 1, "sed-room": 1,
			"sed-open-room": 1, "longest-ago": 0}},
	}
	for _, x := range state {
		s.Job = 5
		copy(s.Lengths, x.lengths)
		copy(s.Acks, x.acks)
		copy(s.Open, []int{8, 0, 3})
		copy(s.Since, []int{2, 0, 7})
		for _, r := range Rules() {
			left := x.uniform
			got := r.Pick(s, func() float64 {
				u := left[0]
				left = left[1:]
				return u
			})
			if got != x.want[r.Name] {
				t.Errorf("%v, %v: %s picks %d, expected %d", x.lengths, x.acks, r.Name, got, x.want[r.Name])
			}
		}
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []Config{{Buffer: 0, RatesPerS: []float64{1}}, {Buffer: 1}, {Buffer: 1, RatesPerS: []float64{0}},
		{Buffer: 1, RatesPerS: []float64{1}, Acknowledged: 1.5}} {
		if _, err := New(c); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
}

// Jobs that came have left, wait or were lost; each that left is acknowledged once, where nothing
// is cut; with probability 1 at once. Once warm nothing is allocated.
func TestLaws(t *testing.T) {
	r := rng.Source{Seed: 3}.Stream("queues")
	for _, p := range []float64{0.3, 1} {
		s, err := New(Config{Buffer: 200, RatesPerS: []float64{1, 1, 1}, Acknowledged: p})
		if err != nil {
			t.Fatal(err)
		}
		acks, draws := 0, Draws{ServiceUS: func(int) int64 { return 1 + r.Int64N(4e6) },
			Uniform: func(int) float64 { return r.Float64() }}
		once := func() {
			acks = 0
			s.Begin(draws)
			for range 150 {
				s.Hand(r.IntN(3), r.Int64N(2e6))
				for i := range s.Acks {
					acks += s.Acks[i]
					if p == 1 && s.OnTheWay[i] > 0 {
						t.Fatalf("%d on the way", s.OnTheWay[i])
					}
				}
			}
		}
		if n := testing.AllocsPerRun(20, once); n > 0 {
			t.Errorf("%v allocations", n)
		}
		inside, way := 0, 0
		for i := range s.Lengths {
			inside, way = inside+s.Lengths[i], way+s.OnTheWay[i]
			if s.Open[i] != s.Lengths[i]+s.OnTheWay[i] {
				t.Errorf("%d open, expected %d inside and %d on the way", s.Open[i], s.Lengths[i], s.OnTheWay[i])
			}
		}
		if s.Lost != 0 || acks+way+inside != 150 {
			t.Errorf("%d lost, %d acknowledged, %d on the way, %d inside, expected 150 in all", s.Lost, acks, way, inside)
		}
	}
}
