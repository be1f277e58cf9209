package slots

import (
	"math"
	"slices"
	"testing"

	"tarry/sim/rng"
)

// begun is a machine that stands at step 0.
func begun(t *testing.T, c Config, jobs ...Job) *Machine {
	t.Helper()
	m := New(c)
	if err := m.Begin(jobs); err != nil {
		t.Fatal(err)
	}
	return m
}

// Two jobs end together: in the original the second stays in the reward for a step more, and leaves
// neither later nor earlier.
func TestLingers(t *testing.T) {
	for lingers, want := range map[bool]float64{true: -1, false: 0} {
		c := Published()
		c.Lingers = lingers
		m := begun(t, c, Job{1, 2, [2]int{1, 5}}, Job{2, 1, [2]int{1, 5}})
		for _, choice := range []int{5, 0, 5, 0} {
			m.Act(choice)
		}
		if reward, _ := m.Act(5); reward != want || m.Finish(0) != 3 || m.Finish(1) != 3 {
			t.Errorf("lingers=%v: reward %v, expected %v; ends at %d and %d", lingers, reward, want, m.Finish(0), m.Finish(1))
		}
		if reward, _ := m.Act(5); reward != 0 || m.Running() != 0 {
			t.Errorf("lingers=%v: reward %v a step later, %d jobs", lingers, reward, m.Running())
		}
	}
}

// A job that does not fit now starts later, for its whole length; a short one may stand before it.
func TestPlacesInTheFuture(t *testing.T) {
	m := begun(t, Published(), Job{1, 3, [2]int{6, 1}}, Job{2, 12, [2]int{6, 1}}, Job{3, 1, [2]int{4, 9}},
		Job{4, 13, [2]int{10, 10}})
	m.Act(5)
	if _, moved := m.Act(0); moved || m.Start[0] != 1 {
		t.Errorf("moved %v, the first starts at %d", moved, m.Start[0])
	}
	m.Act(5)
	if _, moved := m.Act(0); moved || m.Start[1] != 4 || m.Offset(1) != Nowhere {
		t.Errorf("moved %v, the second starts at %d, expected 4; another would at %d", moved, m.Start[1], m.Offset(1))
	}
	m.Act(5)
	if m.Act(0); m.Start[2] != 3 {
		t.Errorf("the third starts at %d, expected 3", m.Start[2])
	}
	m.Act(5) // at 4 the machine is free from 16 on: offset 12, and 12 + 13 is beyond the horizon
	if reward, moved := m.Act(0); !moved || m.Start[3] != Nowhere || math.Abs(reward+1./12+1./13) > 1e-15 {
		t.Errorf("moved %v, the fourth starts at %d, reward %v", moved, m.Start[3], reward)
	}
}

// The backlog gives its first job to the slot that becomes free; one that finds it full is lost.
func TestBacklog(t *testing.T) {
	var jobs []Job
	for i := range 6 {
		jobs = append(jobs, Job{i + 1, 1, [2]int{10, 10}})
	}
	for drops, left := range map[bool]int{true: 1, false: 0} {
		c := Published()
		c.Slots, c.Backlog, c.Drops, c.AllDone = 2, 3, drops, true
		m := begun(t, c, jobs...)
		for range 6 {
			m.Act(2)
		}
		if m.Lost != left || m.Backlogged() != 4-left || !slices.Equal(m.Visible, []int{0, 1}) {
			t.Fatalf("drops=%v: %d lost, %d in the backlog, visible %v", drops, m.Lost, m.Backlogged(), m.Visible)
		}
		if m.Act(1); !slices.Equal(m.Visible, []int{0, 2}) {
			t.Errorf("visible %v, expected 0 and 2", m.Visible)
		}
		for !m.Ended() {
			m.Act(m.sjf())
		}
		if done := len(jobs) - slices.Index(append(m.Start, Nowhere), Nowhere); m.Now != 50 || drops != (done > 0) {
			t.Errorf("drops=%v: ended at %d, starts %v", drops, m.Now, m.Start)
		}
	}
}

func TestBeginRefuses(t *testing.T) {
	for _, jobs := range [][]Job{{{0, 1, [2]int{1, 1}}}, {{50, 1, [2]int{1, 1}}}, {{1, 0, [2]int{1, 1}}},
		{{1, 20, [2]int{1, 1}}}, {{1, 1, [2]int{11, 1}}}, {{1, 1, [2]int{1, -1}}},
		{{2, 1, [2]int{1, 1}}, {2, 1, [2]int{1, 1}}}} {
		if New(Published()).Begin(jobs) == nil {
			t.Errorf("%v was taken", jobs)
		}
	}
}

// some draws jobs.
func some(r *rng.Stream, steps int) (jobs []Job) {
	for at := 1; at < steps; at++ {
		if r.IntN(2) == 0 {
			jobs = append(jobs, Job{at, 1 + r.IntN(15), [2]int{1 + r.IntN(10), 1 + r.IntN(10)}})
		}
	}
	return jobs
}

// Whatever is chosen: no unit is used twice, jobs run from their arrival on, and without the trap
// and lost jobs the rewards are minus the sum of slowdowns, less the step at which the last job
// leaves: a job is in the system at the ends of as many steps as its time is long.
func TestLaws(t *testing.T) {
	r := rng.Source{Seed: 7}.Stream("slots")
	c := Config{Units: 10, Slots: 3, Backlog: 4, Horizon: 20, Steps: 40, AllDone: true}
	m := New(c)
	for range 200 {
		jobs := some(r, c.Steps)
		if err := m.Begin(jobs); err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for !m.Ended() {
			choice := r.IntN(c.Slots + 1)
			if m.Now > 200 {
				choice = m.sjf()
			}
			reward, _ := m.Act(choice)
			sum += reward
		}
		slow, used := 0.0, make([][2]int, m.Now)
		for job, j := range jobs {
			slow += m.Slowdown(job)
			if m.Start[job] < j.Arrive || m.Finish(job) > m.Now {
				t.Fatalf("job %d of %+v starts at %d, the run ends at %d", job, j, m.Start[job], m.Now)
			}
			for at := m.Start[job]; at < m.Finish(job); at++ {
				for k, n := range j.Need {
					if used[at][k] += n; used[at][k] > c.Units {
						t.Fatalf("%d units of %d are in use at %d", used[at][k], k, at)
					}
				}
			}
		}
		if math.Abs(sum+slow) > 1e-9*slow {
			t.Fatalf("rewards sum to %v, slowdowns to %v", sum, slow)
		}
	}
}

// Rules by hand: lengths 3, 1 and 2, of which the second does not fit now.
func TestRules(t *testing.T) {
	want := map[string]int{"SJF": 2, "Packer": 0, "Mix0.5": 0, "FIFO": 0, "SJF-reserved": 1, "SJF-ahead": 1}
	for _, rule := range Rules() {
		m := begun(t, Published(), Job{1, 2, [2]int{5, 1}}, Job{2, 3, [2]int{5, 1}}, Job{3, 1, [2]int{6, 1}},
			Job{4, 2, [2]int{1, 8}})
		m.Act(5)
		m.Act(0)
		m.Act(5)
		m.Free[0], m.Free[1], m.Free[2] = [2]int{5, 4}, [2]int{5, 9}, [2]int{5, 9}
		m.Visible = []int{1, 2, 3, Nowhere, Nowhere}
		m.Jobs[3].Need[1] = 2
		if got := rule.Choose(m); got != want[rule.Name] {
			t.Errorf("%s takes %d, expected %d", rule.Name, got, want[rule.Name])
		}
		m.Visible = []int{Nowhere, Nowhere, Nowhere, Nowhere, Nowhere}
		if got := rule.Choose(m); got != 5 {
			t.Errorf("%s takes %d with nothing visible, expected 5", rule.Name, got)
		}
	}
}

// Once warm a run allocates nothing.
func TestAllocates(t *testing.T) {
	jobs := some(rng.Source{Seed: 1}.Stream("slots"), 50)
	m := begun(t, Published(), jobs...)
	cells := make([]float64, m.Horizon*m.Width())
	once := func() {
		if m.Begin(jobs) != nil {
			t.Fatal("not begun")
		}
		for !m.Ended() {
			m.Image(cells)
			m.Act(m.sjf())
		}
	}
	once()
	if n := testing.AllocsPerRun(5, once); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// SJF-ahead by hand: a job of length 1 is reserved 6 steps ahead and not 7; of equals the larger need.
func TestAhead(t *testing.T) {
	m := begun(t, Published(), Job{1, 1, [2]int{6, 1}}, Job{2, 2, [2]int{1, 2}}, Job{3, 2, [2]int{2, 3}})
	m.Visible = []int{0, 1, 2, Nowhere, Nowhere}
	for full, want := range map[int]int{6: 0, 7: 2} {
		for at := range m.Free {
			if m.Free[at] = [2]int{10, 10}; at < full {
				m.Free[at] = [2]int{5, 10}
			}
		}
		if got := m.ahead(); got != want {
			t.Errorf("with %d steps in use slot %d, expected %d", full, got, want)
		}
	}
}
