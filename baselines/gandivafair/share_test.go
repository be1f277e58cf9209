package gandivafair

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// usage adds up the GPU-time of each user, by quantum.
type usage struct {
	w       *sim.Workload
	quantum sim.Time
	user    map[string]int
	used    [][]float64 // user x quantum, GPU-quanta in it
}

func (u *usage) Interval(i *sim.Interval) {
	mine := u.used[u.user[u.w.Jobs[i.Job].User]]
	for at := i.Start; at < i.End; {
		q := at / u.quantum
		end := min(i.End, (q+1)*u.quantum)
		mine[q] += float64(len(i.GPUs)) * float64(end-at) / float64(u.quantum)
		at = end
	}
}
func (u *usage) Job(*sim.Record)    {}
func (u *usage) Instant(*sim.Gauge) {}

// crowd is users who always want more than there is.
type crowd struct {
	jobs    []sim.Job
	tickets []float64
	shape   [3]int
	gang    int // the widest
	quanta  int
}

const quantum = 10 * sim.Second

// measure runs a policy on a crowd, with every invariant checked, and gives what each user has
// used, by quantum.
func (c *crowd) measure(t *testing.T, settings string) [][]float64 {
	t.Helper()
	for i := range c.jobs {
		c.jobs[i].ID = fmt.Sprint(i)
	}
	w, err := sim.NewWorkload("crowd", c.jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(c.shape[0], c.shape[1], c.shape[2], 1))
	if err != nil {
		t.Fatal(err)
	}
	text := "quantum=10"
	for u, n := range c.tickets {
		text += []string{",tickets=", "+"}[min(u, 1)] + fmt.Sprintf("u%d:%v", u, n)
	}
	u := &usage{w: w, quantum: quantum, user: map[string]int{}}
	for i := range c.tickets {
		u.user[fmt.Sprintf("u%d", i)] = i
		u.used = append(u.used, make([]float64, c.quanta))
	}
	a := simtest.NewAudit(w, top)
	cfg := sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Until: sim.Time(c.quanta) * quantum,
		Check: true}
	e, err := sim.Run(context.Background(), cfg, policy(t, text+settings)(), u, a)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(e); err != nil {
		t.Fatal(err)
	}
	return u.used
}

// lag is the most that a user was off its part of the GPU-time at the end of a quantum, over what
// it may be: one quantum of the widest gang, times n parts for one of n users whose part is more
// than 1/n. (Every pass is at most one charge of a gang ahead of the least; so a user has at most a
// gang too much, and too little by at most its part of what the n-1 others have too much.)
func (c *crowd) lag(used [][]float64) (worst float64) {
	total, all, sum := 0.0, 0.0, make([]float64, len(used))
	for _, x := range c.tickets {
		total += x
	}
	for q := range c.quanta {
		for u := range used {
			sum[u] += used[u][q]
			all += used[u][q]
		}
		for u := range used {
			part := c.tickets[u] / total
			may := float64(c.gang) * max(1, part*float64(len(used)))
			worst = max(worst, math.Abs(sum[u]-all*part)/may)
		}
	}
	return worst
}

// drawCrowd draws users with enough jobs to fill the cluster, each user with jobs of one of the
// gangs.
func drawCrowd(r *rand.Rand, servers, gpus int, gangs []int) *crowd {
	c := &crowd{shape: [3]int{1, servers, gpus}, quanta: 120}
	for u := range 2 + r.IntN(5) {
		c.tickets = append(c.tickets, float64(1+r.IntN(3)))
		g := gangs[r.IntN(len(gangs))]
		c.gang = max(c.gang, g)
		for range servers * gpus * (1 + r.IntN(3)) / g {
			c.jobs = append(c.jobs, sim.Job{GPUs: int32(g), User: fmt.Sprintf("u%d", u), Model: "a", Work: 1e9 *
				sim.Second})
		}
	}
	return c
}

// While every user wants all there is, each is within a quantum of its gangs of its part, at the
// end of every quantum: on one server and on several, with one gang and with gangs that divide one
// another. With jobs wider than a server it is two: they start only first in a quantum.
func TestSharesWithinAQuantum(t *testing.T) {
	for _, k := range []struct {
		servers, gpus int
		gangs         []int
	}{{1, 8, []int{1}}, {1, 8, []int{2}}, {1, 8, []int{1, 2, 4, 8}}, {4, 8, []int{1}}, {4, 8, []int{4}},
		{4, 8, []int{1, 2, 4, 8}}, {4, 4, []int{1, 2, 4, 8, 16}}} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			for seed := range uint64(60) {
				c := drawCrowd(rand.New(rand.NewPCG(seed, 3)), k.servers, k.gpus, k.gangs)
				limit := 1.001
				if c.gang > k.gpus {
					limit = 2
				}
				if lag := c.lag(c.measure(t, "")); lag > limit {
					t.Fatalf("seed %d: a user of tickets %v is off its part by %.3f of what it may", seed, c.tickets,
						lag)
				}
			}
		})
	}
}

// uneven is a crowd whose users have jobs of all gangs, which need not divide one another, on
// several servers.
func uneven(seed uint64) *crowd {
	r := rand.New(rand.NewPCG(seed, 5))
	c := &crowd{shape: [3]int{1, 1 + r.IntN(4), 8}, quanta: 60}
	for u := range 2 + r.IntN(4) {
		c.tickets = append(c.tickets, float64(1+r.IntN(3)))
		for range 1 + r.IntN(30) {
			c.jobs = append(c.jobs, sim.Job{GPUs: int32(1 + r.IntN(min(12, 8*c.shape[1]))),
				User: fmt.Sprintf("u%d", u), Model: "a",
				Submit: sim.Time(r.IntN(100)) * sim.Second, Work: sim.Time(1+r.IntN(4000)) * sim.Second})
		}
	}
	return c
}

// Twice the tickets of all change nothing, and neither do other names of users; whatever the jobs.
func TestTicketsAreRelative(t *testing.T) {
	for seed := range uint64(60) {
		a, b := uneven(seed), uneven(seed)
		for u := range b.tickets {
			b.tickets[u] *= 2
		}
		if x, y := fmt.Sprint(a.measure(t, "")), fmt.Sprint(b.measure(t, "")); x != y {
			t.Fatalf("seed %d: with twice the tickets\n%s\nbefore\n%s", seed, y, x)
		}
	}
}

// Other names of users change nothing but the names.
func TestNamesOfUsers(t *testing.T) {
	for seed := range uint64(60) {
		a, b := uneven(seed), uneven(seed)
		n := len(a.tickets)
		perm := rand.New(rand.NewPCG(seed, 6)).Perm(n)
		for i := range b.jobs {
			u := int(b.jobs[i].User[1] - '0')
			b.jobs[i].User = fmt.Sprintf("u%d", perm[u])
			b.tickets[perm[u]] = a.tickets[u]
		}
		x, y := a.measure(t, ""), b.measure(t, "")
		for u := range x {
			if fmt.Sprint(x[u]) != fmt.Sprint(y[perm[u]]) {
				t.Fatalf("seed %d: user %d as %d: %v, before %v", seed, u, perm[u], y[perm[u]], x[u])
			}
		}
	}
}

// A user with many jobs gains nothing: its part equals a user's with just enough.
func TestManyJobsGainNothing(t *testing.T) {
	for _, many := range []int{8, 16, 200} {
		c := &crowd{shape: [3]int{1, 2, 4}, tickets: []float64{1, 1}, gang: 1, quanta: 50}
		for i := range 8 + many {
			c.jobs = append(c.jobs, sim.Job{GPUs: 1, User: []string{"u0", "u1"}[min(i/8, 1)], Model: "a", Work: 1e6 *
				sim.Second})
		}
		used := c.measure(t, "")
		for q := range c.quanta {
			if used[0][q] != 4 || used[1][q] != 4 {
				t.Fatalf("with %d jobs beside 8: %v and %v GPUs in quantum %d, expected 4 each", many, used[0][q],
					used[1][q], q)
			}
		}
	}
}

// The paper's example: 8 GPUs, users A and B with many jobs, C with one of 2 GPUs, which is less
// than 8/3: it always runs, and A and B share the rest.
func TestDemandCapped(t *testing.T) {
	c := &crowd{shape: [3]int{1, 1, 8}, tickets: []float64{1, 1, 1}, gang: 2, quanta: 100}
	for i := range 17 {
		c.jobs = append(c.jobs, sim.Job{GPUs: 2, User: []string{"u0", "u1", "u2"}[i/8], Model: "a", Work: 1e6 *
			sim.Second})
	}
	used, sum := c.measure(t, ""), [3]float64{}
	for u := range used {
		for q := range c.quanta {
			sum[u] += used[u][q]
		}
	}
	if sum[2] != 200 || math.Abs(sum[0]-sum[1]) > 2 {
		t.Errorf("GPU-quanta of the three users: %v, expected about 300, 300 and exactly 200", sum)
	}
}
