package sim

import (
	"fmt"
	"testing"
)

// A lease and a watch of one job of 1 GPU and 20 s of work, through what can happen to them.
func TestLeases(t *testing.T) {
	lease := func(d Time) Decision { return Decision{Kind: Start, GPUs: on(0), Lease: d} }
	for _, c := range []struct {
		name   string
		costs  Costs
		plan   map[Time][]Decision
		events []string
	}{
		{"no lease", Costs{}, map[Time][]Decision{0: {lease(0)}}, []string{"20s finish 0"}},
		{"the job runs on without one", Costs{}, map[Time][]Decision{0: {lease(5 * Second)}},
			[]string{"5s expire 0", "20s finish 0"}},
		{"one longer than time itself", Costs{}, map[Time][]Decision{0: {lease(Never)}}, []string{"20s finish 0"}},
		{"a sum that would overflow", Costs{}, map[Time][]Decision{0: {lease(5 * Second)}, 4 *
			Second: {{Kind: Renew, Lease: Never - 1}}},
			[]string{"20s finish 0"}},
		{"renewed from now", Costs{}, map[Time][]Decision{0: {lease(5 * Second)}, 4 *
			Second: {{Kind: Renew, Lease: 7 * Second}}},
			[]string{"11s expire 0", "20s finish 0"}},
		{"renewed after its end", Costs{}, map[Time][]Decision{0: {lease(5 * Second)}, 6 *
			Second: {{Kind: Renew, Lease: 3 * Second}}},
			[]string{"5s expire 0", "9s expire 0", "20s finish 0"}},
		{"given up", Costs{}, map[Time][]Decision{0: {lease(5 * Second)}, 4 * Second: {{Kind: Renew}}},
			[]string{"20s finish 0"}},
		// The renewal pauses the job for 3 s, so it ends at 23 s; the lease counts from the
		// renewal.
		{"a renewal that costs", Costs{Renew: Cost{FixedS: 3}},
			map[Time][]Decision{0: {lease(5 * Second)}, 5 * Second: {{Kind: Renew, Lease: 10 * Second}}},
			[]string{"5s expire 0", "15s expire 0", "23s finish 0"}},
		{"kept by a move", Costs{}, map[Time][]Decision{0: {lease(9 * Second)}, 4 *
			Second: {{Kind: Migrate, GPUs: on(1)}}},
			[]string{"9s expire 0", "20s finish 0"}},
		{"replaced by a move", Costs{}, map[Time][]Decision{0: {lease(9 * Second)}, 4 *
			Second: {{Kind: Migrate, GPUs: on(1), Lease: 2 * Second}}},
			[]string{"6s expire 0", "20s finish 0"}},
		{"ended before a move, and not again", Costs{}, map[Time][]Decision{0: {lease(3 * Second)}, 4 *
			Second: {{Kind: Migrate, GPUs: on(1)}}},
			[]string{"3s expire 0", "20s finish 0"}},
		{"dropped by a preemption", Costs{}, map[Time][]Decision{0: {lease(9 * Second)}, 4 *
			Second: {{Kind: Preempt}, begin(0, 1)}},
			[]string{"20s finish 0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := play{cfg: Config{Costs: c.costs}, plan: c.plan}.mustRun(t, 2, Job{GPUs: 1, Work: 20 * Second})
			same(t, "events", o.events, append([]string{"0s arrive 0"}, c.events...)...)
		})
	}
}

// What View states of a lease before, at and after its end, and after a move and a renewal.
func TestViewOfALease(t *testing.T) {
	got := []string{}
	p := play{plan: map[Time][]Decision{
		0: {{Kind: Start, GPUs: on(0), Lease: 3 * Second}}, 2 * Second: nil, 5 *
			Second: {{Kind: Migrate, GPUs: on(1)}}, 6 * Second: nil,
		7 * Second: {{Kind: Renew, Lease: 4 * Second}}, 8 * Second: {{Kind: Preempt}}, 9 * Second: {begin(0, 0)}}}
	p.look = func(v *View) {
		got = append(got, fmt.Sprintf("%v: until %v, expired %v", v.Now(), v.Run(0).LeaseEnd(), v.Run(0).Expired()))
	}
	p.mustRun(t, 2, Job{GPUs: 1, Work: 10 * Second})
	same(t, "lease", got, "0s: until never, expired false", "2s: until 3s, expired false",
		"3s: until 3s, expired true", "5s: until 3s, expired true",
		"6s: until 3s, expired true", "7s: until 3s, expired true", "8s: until 11s, expired false",
		"9s: until never, expired false", "11s: until never, expired false")
}

// A watch counts running time or attained service, not time that passes; a move keeps it, a
// preemption drops it.
func TestWatches(t *testing.T) {
	watch := func(c Counter, bound Time) Decision { return Decision{Kind: Watch, Counter: c, Bound: bound} }
	for _, c := range []struct {
		name   string
		costs  Costs
		plan   map[Time][]Decision
		events []string
	}{
		{"running time", Costs{}, map[Time][]Decision{0: {begin(0, 0, 1), watch(RunTime, 6*Second)}},
			[]string{"6s cross 0", "20s finish 0"}},
		{"service counts both GPUs", Costs{}, map[Time][]Decision{0: {begin(0, 0, 1), watch(Service, 6*Second)}},
			[]string{"3s cross 0", "20s finish 0"}},
		// 6 s + 1 us of GPU-time on two GPUs is reached in the microsecond after 3 s.
		{"a bound between two instants", Costs{}, map[Time][]Decision{0: {begin(0, 0, 1), watch(Service, 6*Second+1)}},
			[]string{"3.000001s cross 0", "20s finish 0"}},
		{"a pause does not count", Costs{Start: Cost{FixedS: 4}},
			map[Time][]Decision{0: {begin(0, 0, 1), watch(RunTime, 6*Second)}},
			[]string{"10s cross 0", "24s finish 0"}},
		{"the later one holds", Costs{}, map[Time][]Decision{0: {begin(0, 0, 1), watch(RunTime, 6*Second),
			watch(RunTime, 9*Second)}}, []string{"9s cross 0", "20s finish 0"}},
		{"cancelled", Costs{}, map[Time][]Decision{0: {begin(0, 0, 1), watch(RunTime, 6*Second)}, 2 *
			Second: {watch(RunTime, Never)}}, []string{"20s finish 0"}},
		{"above all the job will do", Costs{}, map[Time][]Decision{0: {begin(0, 0, 1), watch(RunTime, 21*Second)}},
			[]string{"20s finish 0"}},
		// 4 s run before the move, which pauses for 2 s; the other 4 s end at 10 s.
		{"kept by a move", Costs{Migrate: Cost{FixedS: 2}}, map[Time][]Decision{0: {begin(0, 0, 1),
			watch(RunTime, 8*Second)}, 4 * Second: {{Kind: Migrate, GPUs: on(2, 3)}}},
			[]string{"10s cross 0", "22s finish 0"}},
		{"dropped by a preemption", Costs{}, map[Time][]Decision{0: {begin(0, 0, 1), watch(RunTime, 8*Second)}, 4 *
			Second: {{Kind: Preempt}, begin(0, 0, 1)}},
			[]string{"20s finish 0"}},
		{"set while the job runs", Costs{}, map[Time][]Decision{0: {begin(0, 0, 1)}, 4 *
			Second: {watch(Service, 10*Second)}}, []string{"5s cross 0", "20s finish 0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := play{cfg: Config{Costs: c.costs}, plan: c.plan}.mustRun(t, 4, Job{GPUs: 2, Work: 40 * Second})
			same(t, "events", o.events, append([]string{"0s arrive 0"}, c.events...)...)
		})
	}
}
