package queueing_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// scoreTwin is the queue by score with EASY backfilling the plain way: all events of an instant,
// then every list sorted anew.
type scoreTwin struct {
	score func(j *pickedJob, wait float64) float64
	fill  string // "" = none
	free  int64
	jobs  []*pickedJob // in order of submit
}

func (w *scoreTwin) run() {
	var queue, active []*pickedJob
	for next, now := 0, int64(0); next < len(w.jobs) || len(active) > 0; {
		now = math.MaxInt64
		if next < len(w.jobs) {
			now = w.jobs[next].submit
		}
		for _, j := range active {
			now = min(now, j.start+j.run)
		}
		for ; next < len(w.jobs) && w.jobs[next].submit == now; next++ {
			queue = append(queue, w.jobs[next])
		}
		active = slices.DeleteFunc(active, func(j *pickedJob) bool {
			if j.start+j.run > now {
				return false
			}
			w.free += j.n
			return true
		})
		for _, j := range w.starts(now, queue, active) {
			j.start = now
			w.free -= j.n
			active = append(active, j)
			queue = slices.DeleteFunc(queue, func(k *pickedJob) bool { return k == j })
		}
	}
}

// starts are the jobs that start now.
func (w *scoreTwin) starts(now int64, queue, active []*pickedJob) (out []*pickedJob) {
	by := func(key func(j *pickedJob) float64) []*pickedJob {
		q := slices.Clone(queue)
		slices.SortStableFunc(q, func(a, b *pickedJob) int { return cmp.Compare(key(a), key(b)) })
		return q
	}
	score := func(j *pickedJob) float64 { return w.score(j, float64(now-j.submit)) }
	free, held := w.free, slices.Clone(active)
	begin := func(j *pickedJob) {
		free -= j.n
		out = append(out, j)
		c := *j
		c.start = now
		held = append(held, &c)
	}
	var head *pickedJob
	for _, j := range by(score) {
		if j.n > free {
			head = j
			break
		}
		begin(j)
	}
	if head == nil || w.fill == "" {
		return out
	}
	shadow, there := now, free
	for there < head.n {
		shadow = math.MaxInt64
		for _, k := range held {
			if e := k.start + k.asked; e > now && free+freed(held, e) >= head.n {
				shadow = min(shadow, e)
			}
		}
		there = free + freed(held, shadow)
	}
	extra := there - head.n
	key := map[string]func(*pickedJob) float64{"score": score,
		"shortest": func(j *pickedJob) float64 { return float64(j.asked) },
		"arrival":  func(*pickedJob) float64 { return 0 }}[w.fill]
	for _, j := range by(key) {
		if j == head || slices.Contains(out, j) || j.n > free {
			continue
		}
		if now+j.asked > shadow {
			if j.n > extra {
				continue
			}
			extra -= j.n
		}
		begin(j)
	}
	return out
}

// freed is what has ended by a time, by what was asked for.
func freed(held []*pickedJob, by int64) (n int64) {
	for _, k := range held {
		if k.start+k.asked <= by {
			n += k.n
		}
	}
	return n
}

// drawn is a list with many events at one instant, and requests that are exact or too long.
func drawnPicked(seed uint64) []*pickedJob {
	r := rand.New(rand.NewPCG(seed, 5))
	var plain []*pickedJob
	at := int64(r.IntN(50))
	for range 60 {
		j := &pickedJob{submit: at, run: 1 + int64(r.IntN(9)*r.IntN(9)), n: 1 + int64(r.IntN(8)), start: -1}
		if j.asked = j.run; seed%2 == 1 {
			j.asked += int64(r.IntN(20))
		}
		plain, at = append(plain, j), at+int64(r.IntN(6)*r.IntN(4))
	}
	return plain
}

// startsOf runs a policy on 8 GPUs; what was asked for is the estimate and the request.
func startsOf(t *testing.T, name, params string, plain []*pickedJob) (out []int64) {
	t.Helper()
	var js []sim.Job
	for i, j := range plain {
		js = append(js, sim.Job{ID: fmt.Sprint(i), GPUs: int32(j.n), Submit: sim.Time(j.submit) * sim.Second,
			Work:    sim.Time(j.run*j.n) * sim.Second,
			Request: sim.Time(j.asked) * sim.Second})
	}
	load, err := sim.NewWorkload("drawn", js)
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.Run(context.Background(), sim.Config{Workload: load, Topology: topology(t, 1, 8, 1),
		Speed: simtest.Counting{}, Check: true,
		Estimate: func(id sim.JobID) sim.Time { return sim.Time(plain[id].asked*plain[id].n) * sim.Second }},
		policy(t, name, params))
	if err != nil {
		t.Fatal(err)
	}
	for i := range js {
		out = append(out, int64(e.Record(sim.JobID(i)).Start/sim.Second))
	}
	return out
}

// Every start is the twin's, for all scores, with and without backfilling in each order, from
// estimates and from requests.
func TestScoresAreTheirTwin(t *testing.T) {
	for seed := range uint64(40) {
		plain := drawnPicked(seed)
		for order, score := range scores {
			for _, fill := range []string{"", "arrival", "score", "shortest"} {
				w := scoreTwin{score: score, fill: fill, free: 8}
				for _, j := range plain {
					c := *j
					w.jobs = append(w.jobs, &c)
				}
				w.run()
				name, params := order, "backfill=none"
				if order == "fcfs" || order == "sjf" {
					name, params = "easy", "order="+order
					if fill == "" {
						continue
					}
				}
				if fill != "" && name != "easy" {
					params = "backfill=easy"
				}
				if fill != "" {
					params += ",fill=" + fill
				}
				if seed%4 > 1 {
					params += ",by=request"
				}
				for i, got := range startsOf(t, name, params, plain) {
					if got != w.jobs[i].start {
						t.Fatalf("seed %d, %s:%s: job %d starts at %d s, expected %d", seed, name, params, i, got,
							w.jobs[i].start)
					}
				}
			}
		}
	}
}

// With hold=true a named policy is picked, and easy by a score is the named policy with
// backfill=easy.
func TestNamesOfOnePolicy(t *testing.T) {
	for seed := range uint64(10) {
		plain := drawnPicked(seed)
		for _, c := range [][4]string{
			{"wfp3", "hold=true,backfill=fcfs", "picked", "order=wfp3,backfill=fcfs"},
			{"unicep", "hold=true", "picked", "order=unicep"},
			{"f2", "hold=true,backfill=fcfs,by=request", "picked", "order=f2,backfill=fcfs,by=request"},
			{"f4", "fill=score", "easy", "order=f4,fill=score"},
			{"easy", "fill=score", "easy", ""},
		} {
			if a, b := startsOf(t, c[0], c[1], plain), startsOf(t, c[2], c[3], plain); !slices.Equal(a, b) {
				t.Errorf("seed %d: %s:%s starts jobs at %v, %s:%s at %v", seed, c[0], c[1], a, c[2], c[3], b)
			}
		}
	}
}

// By hand, on 8 GPUs that a job holds for 100 s. A (1 GPU, 900 s) came at 10 s, B (8 GPUs, 100 s)
// at 20 s:
//
//	F1: A 2.954 + 870 = 872.95, B 16 + 1131.9: A   F2: A 30 + 25600, B 80 + 33306: A
//	F3: A 900 + 6.86e6, B 800 + 8.92e6: A          F4: A 900 + 530000, B 282.8 + 689546: A
//
// Late in a log the submits hardly differ: at 1e6 and 1e6 + 10 s the logarithms differ by 4.34e-6,
// which is 0.0038, 0.11, 29.8 and 2.3 in the four scores, and r and n decide: F1 A 2.954, B 16.004:
// A; F2 A 30, B 80.11: A; F3 A 900, B 829.8: B; F4 A 900, B 285.1: B.
func TestScoresByHand(t *testing.T) {
	for _, late := range []int64{0, 1000000} {
		for name, want := range map[string]int{"f1": 1, "f2": 1, "f3": 2, "f4": 2} {
			if late == 0 {
				want = 1 // the log is young
			}
			at := []int64{0, 10, 20}
			if late > 0 {
				at = []int64{late - 50, late, late + 10}
			}
			jobs := []*pickedJob{{submit: at[0], run: 100, n: 8, asked: 100},
				{submit: at[1], run: 900, n: 1, asked: 900}, {submit: at[2], run: 100, n: 8, asked: 100}}
			got := startsOf(t, name, "", jobs)
			if first := map[bool]int{true: 1, false: 2}[got[1] < got[2]]; first != want {
				t.Errorf("%s with submits from %d s starts job %d first, expected %d: %v", name, late, first, want, got)
			}
		}
	}
}
