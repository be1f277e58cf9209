package tiresias

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
	"tarry/sim/simtest/hand"
)

// halved is the speed of jobs that do half as much on several machines, but for inception3, which
// loses nothing.
type halved struct{ top *cluster.Topology }

func (s halved) Speed(q *sim.Query) (sim.Speed, error) {
	sp, err := simtest.Counting{}.Speed(q)
	if q.Job.Model != "inception3" && machines(s.top, q.GPUs) > 1 {
		sp.Rate /= 2
	}
	return sp, err
}

// The limit calls as few cells wrong as any limit does, cells without both kinds of observations
// count for nothing, and of equal limits the least is taken.
func TestLimitIsTheBestOfAll(t *testing.T) {
	none, inside, split := 0, 0, 0
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 5))
		f := fitted{}
		at := 0.0
		for range r.IntN(7) {
			at += float64(r.IntN(3)) / 10
			f.cells = append(f.cells, cell{skew: at, sum: [2]float64{1 + r.Float64(), 1 + r.Float64()},
				times: [2]float64{float64(r.IntN(4)), float64(r.IntN(4))}})
		}
		wrong := func(limit float64) (n int, seen bool) {
			for _, c := range f.cells {
				if c.times[0]*c.times[1] > 0 {
					seen = true
					if (c.sum[1]/c.times[1] > c.sum[0]/c.times[0]) != (c.skew > limit) {
						n++
					}
				}
			}
			return n, seen
		}
		got, ok := f.limit()
		n, seen := wrong(got)
		if ok != seen {
			t.Fatalf("seed %d: fitted %v, with observations %v", seed, ok, seen)
		}
		if !seen {
			none++
			continue
		}
		if got > 0 && n > 0 {
			inside++
		}
		for limit := -1.0; limit <= at; limit += 0.05 {
			between := slices.ContainsFunc(f.cells, func(c cell) bool {
				return c.times[0]*c.times[1] > 0 &&
					c.skew > limit && c.skew <= got
			})
			if m, _ := wrong(limit); m < n || m == n && between {
				t.Fatalf("seed %d: limit %v with %d wrong, at %v %d: %+v", seed, got, n, limit, m, f.cells)
			}
		}
		if got > 0 && got < at {
			split++
		}
	}
	if none == 0 || inside == 0 || split < 300 {
		t.Errorf("%d without observations, %d with errors, %d inside: the cases are too easy", none, inside, split)
	}
}

// Two jobs of a model, one on a machine and one on two, show that it is faster on one: the next one
// waits for a machine too. Before the first fit, and of a model that loses nothing, it is spread.
func TestFittedLimitPacksWhatGains(t *testing.T) {
	spread, packed := "4 on [0 4] 51s-61s finish", "4 on [4 5] 51s-56s finish"
	for _, c := range []struct{ model, text, want string }{
		{"resnet50", "place=skew-waits", spread},
		{"resnet50", "place=skew-waits,packlimit=fit,fit_s=1", packed},
		{"resnet50", "place=skew-waits,packlimit=fit,fit_s=1000", spread},
		{"inception3", "place=skew-waits,packlimit=fit,fit_s=1", "4 on [0 4] 51s-56s finish"},
	} {
		jobs := []sim.Job{hand.Job(0, 1, 20), hand.Job(0, 2, 100), hand.Job(1, 3, 50), hand.Job(1.5, 2,
			100), hand.Job(3, 2, 5)}
		for _, i := range []int{1, 3, 4} {
			jobs[i].Model = c.model
		}
		if got := tape(t, policy(t, New, c.text+",queues=1e9")(), jobs); !slices.Contains(got, c.want) {
			t.Errorf("%s, %s: %v, expected %s", c.text, c.model, got, c.want)
		}
	}
}

// tape runs jobs on two machines of four GPUs at halved speeds.
func tape(t *testing.T, p sim.Policy, jobs []sim.Job) []string {
	t.Helper()
	for i := range jobs {
		jobs[i].ID = fmt.Sprint(i)
	}
	w, err := sim.NewWorkload("by hand", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 2, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	var got simtest.Tape
	if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: halved{top}, Check: true},
		p, &got); err != nil {
		t.Fatal(err)
	}
	return got.Lines
}
