package dispatch

import (
	"math"
	"slices"
	"testing"
)

// crowd is a world of three clusters with a node each and CPU for all pods, and requests that the first
// two hand on in the first slot; the third has one, a slot later.
func crowd(seed int) (*Setting, [][]Request) {
	set := &Setting{Clusters: 3, Coefficients: []float64{1, 1.3}, PodCPU: 10, PodMem: 1, SlotS: 0.5, Slots: 60, Turns: 20,
		CPUReturned: true}
	for range 3 {
		set.Nodes = append(set.Nodes, Node{CPU: 100, Mem: 4, Pods: []int{0, 1}})
	}
	all := make([][]Request, 3)
	x := uint64(seed)*2654435761 + 1
	draw := func(n int) int {
		x = x*6364136223846793005 + 1442695040888963407
		return int(x >> 33 % uint64(n))
	}
	for c := range 3 {
		for range []int{9, 9, 1}[c] {
			at := []float64{0.1, 0.1, 0.6}[c]
			all[c] = append(all[c], Request{Type: draw(2), ArriveS: at, DeadlineS: at + float64(1+draw(9)),
				Work: float64(3 + draw(20))})
		}
	}
	return set, all
}

// rest plays the crowd: to node 0 all but the last request. It gives the end of that and what was missed
// of the others; look is called at its turn.
func rest(t *testing.T, set *Setting, all [][]Request, look func(w *World)) (end float64, missed int) {
	t.Helper()
	w, err := New(set, all)
	if err != nil {
		t.Fatal(err)
	}
	for end = math.Inf(1); !w.Ended(); {
		for c, _, ok := w.Next(); ok; c, _, ok = w.Next() {
			if c == 2 {
				look(w)
			}
			if err := w.Hand(0); err != nil {
				t.Fatal(err)
			}
		}
		now := w.Now()
		s := w.Close()
		if missed += s.Missed[0] + s.Missed[1]; s.Done[2] > 0 {
			end = now
		}
	}
	return end, missed
}

// What is expected comes true where nothing else comes: the end, whether it is in time, and whom it
// harms.
func TestExpect(t *testing.T) {
	late, harms := 0, 0
	for seed := range 300 {
		set, all := crowd(seed)
		var want float64
		var harmed int
		last := all[2][0]
		got, missed := rest(t, set, all, func(w *World) { want, harmed = w.Expect(0, last) })
		all[2] = nil
		_, without := rest(t, set, all, func(*World) {})
		if want > last.DeadlineS {
			late++
			if !math.IsInf(got, 1) {
				t.Errorf("%d: ends at %v, expected to be missed at %v", seed, got, want)
			}
		} else if got != 0.5*math.Ceil(want/0.5) {
			t.Errorf("%d: ends at %v, expected %v", seed, got, want)
		}
		if missed-without != harmed {
			t.Errorf("%d: %d are missed, %d without it, expected %d more", seed, missed, without, harmed)
		}
		if harmed > 0 {
			harms++
		}
	}
	if late < 30 || late > 270 || harms < 10 {
		t.Errorf("%d of 300 late, %d harm others", late, harms)
	}
}

// A request waits for CPU that comes back, and for ever where none does.
func TestExpectWaitsForCPU(t *testing.T) {
	set := two()
	set.SlotS = 0.5
	for returned, want := range map[bool]float64{true: 2 + 1, false: math.Inf(1)} {
		set.CPUReturned = returned
		w, err := New(set, [][]Request{nil, {{Type: 0, DeadlineS: 9, Work: 12}, {Type: 1, DeadlineS: 9, Work: 20}}})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Hand(1); err != nil {
			t.Fatal(err)
		}
		w.Close() // busy from 0.5 s to 1.7 s; type 1 needs all of the node's CPU
		if end, harmed := w.Expect(1, w.waiting[1][0].Request); end != want || harmed != 0 {
			t.Errorf("returned %v: ends at %v and harms %d, expected %v and none", returned, end, harmed, want)
		}
	}
}

// With more turns a cluster hands on more in a slot, all clusters in turn; a restart is a new world.
func TestTurnsAndRestart(t *testing.T) {
	set := two()
	set.Turns = 2
	all := [][]Request{{{DeadlineS: 5}, {DeadlineS: 6}, {DeadlineS: 7}}, {{DeadlineS: 8}}}
	w, err := New(set, all)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var got []float64
		for _, r, ok := w.Next(); ok; _, r, ok = w.Next() {
			got = append(got, r.DeadlineS)
			if err := w.Hand(1); err != nil {
				t.Fatal(err)
			}
		}
		if want := []float64{5, 8, 6}; !slices.Equal(got, want) {
			t.Errorf("deadlines %v, expected %v", got, want)
		}
		w.Close()
		if err := w.Restart(all); err != nil || w.Now() != 1 || w.Waits(1) != 0 {
			t.Errorf("error %v, at %v with %d in a queue", err, w.Now(), w.Waits(1))
		}
	}
}

// Once warm nothing is allocated.
func TestAllocates(t *testing.T) {
	set, all := crowd(1)
	w, err := New(set, all)
	if err != nil {
		t.Fatal(err)
	}
	play := func() {
		for !w.Ended() {
			for _, r, ok := w.Next(); ok; _, r, ok = w.Next() {
				w.Expect(0, r)
				if err := w.Hand(0); err != nil {
					t.Fatal(err)
				}
			}
			w.Close()
		}
		if err := w.Restart(all); err != nil {
			t.Fatal(err)
		}
	}
	if n := testing.AllocsPerRun(5, play); n != 0 {
		t.Errorf("%v allocations, expected none", n)
	}
}
