package asrpt

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
)

// task is a job of the plain simulator: when it comes, its work, and when it is done, in units of
// 1/speed us.
type task struct{ comes, left, done int64 }

// plainSRPT is single-machine SRPT the plain way: in each stretch between two arrivals or ends the
// one with least left is searched anew. Equal work goes by arrival. Time is counted in units in
// which one unit of work is done, so all is exact.
func plainSRPT(tasks []task) (order []int) {
	for now := int64(0); len(order) < len(tasks); {
		best, next := -1, int64(math.MaxInt64)
		for i, t := range tasks {
			switch {
			case t.left == 0:
			case t.comes > now:
				next = min(next, t.comes)
			case best < 0 || t.left < tasks[best].left:
				best = i
			}
		}
		if best < 0 {
			now = next
			continue
		}
		step := min(tasks[best].left, next-now)
		now += step
		if tasks[best].left -= step; tasks[best].left == 0 {
			tasks[best].done = now
			order = append(order, best)
		}
	}
	return order
}

// The virtual machine completes jobs in the order and at the times of plain SRPT: 3000 drawn cases,
// machines of 1 to 16 GPUs. Its times are exact parts of a microsecond; next states the microsecond
// by which a job is done, and serve may be called at any instants between.
func TestVirtualMachineIsSRPT(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 9))
		speed := int64(1 + r.IntN(16))
		var tasks []task
		comes := int64(0)
		for range 2 + r.IntN(20) {
			comes += int64(r.IntN(1 + r.IntN(12)))
			tasks = append(tasks, task{comes: comes * speed, left: 1 + int64(r.IntN(1+r.IntN(int(40*speed))))})
		}
		m := newMachine(int(speed), len(tasks))
		plain := slices.Clone(tasks)
		order := plainSRPT(plain)
		var got []sim.JobID
		in := 0
		for now := sim.Time(0); len(got) < len(tasks); now++ {
			if r.IntN(3) == 0 && now < m.next() && (in == len(tasks) || tasks[in].comes > int64(now)*speed) {
				continue // no job asks at this microsecond
			}
			n := len(got)
			got = m.serve(now, got)
			for _, j := range got[n:] {
				if done := plain[j].done; done > int64(now)*speed || m.next() <= now {
					t.Fatalf("seed %d: job %d is done by %d us, expected at %d/%d", seed, j, now, done, speed)
				}
			}
			for ; in < len(tasks) && tasks[in].comes == int64(now)*speed; in++ {
				m.add(sim.JobID(in), tasks[in].left)
			}
			if j, _, ok := m.left.First(); ok && in == len(tasks) {
				if want := (plain[j].done + speed - 1) / speed; int64(m.next()) != want {
					t.Fatalf("seed %d: job %d is next by %v us, expected %d", seed, j, int64(m.next()), want)
				}
			}
		}
		for i, j := range got {
			if int(j) != order[i] {
				t.Fatalf("seed %d: order %v, expected %v", seed, got, order)
			}
		}
	}
}

// Work and times at the limits neither overflow nor end.
func TestVirtualMachineAtItsLimits(t *testing.T) {
	m := newMachine(1<<20, 2)
	m.add(0, 1<<60)
	m.add(1, 0)
	if got := m.serve(1, nil); !slices.Equal(got, []sim.JobID{1}) {
		t.Fatalf("done %v", got)
	}
	if at := m.next(); at != 1+(1<<40) {
		t.Errorf("next at %d", at)
	}
	if got := m.serve(sim.Never-1, nil); !slices.Equal(got, []sim.JobID{0}) || m.next() != sim.Never {
		t.Errorf("done %v, next %v", got, m.next())
	}
}
