// Package slots is the machine of DeepRM (Mao, Alizadeh, Menache and Kandula, HotNets 2016), after
// the authors' program: jobs that need units of two resources for a number of steps arrive, at most
// one in a step; a few of them are visible in slots, the others wait in a backlog. It draws
// nothing.
//
// A choice is a slot, or to move on:
//  1. The job of a slot starts at the earliest step of the horizon from which its whole length
//     fits, now or in the future, and the first of the backlog takes the slot. Time stands, the
//     reward is 0.
//  2. With no job in the slot, or one that fits nowhere, and with the choice to move on, a step
//     passes: jobs that have ended leave, the step's job arrives, and the reward is minus the sum
//     of 1/length over all jobs that run or wait.
//
// In the original a job that is removed hides the next one of the list for a step (Config.Lingers),
// and a job that finds the backlog full is lost (Config.Drops).
//
// Reading guide: slots.go is the machine, rules.go the rules, image.go what the original draws.
package slots

import "fmt"

// Resources is how many resources there are.
const Resources = 2

// Job is what arrives at a step: it needs units of each resource for a length in steps.
type Job struct {
	Arrive, Length int
	Need           [Resources]int
}

// Config is the machine.
type Config struct {
	// Units of each resource; Slots for visible jobs; Backlog for others; Horizon in steps.
	Units, Slots, Backlog, Horizon int
	// Steps is how many steps have arrivals: a machine ends after them, or with AllDone when every
	// job has left.
	Steps   int
	AllDone bool
	// Lingers: of jobs that end together, each that stands behind one that is removed stays for
	// another step in the reward.
	Lingers bool
	// Drops: a job that finds Backlog jobs in the backlog is lost; otherwise it waits there as
	// well.
	Drops bool
}

// Published is the original's, of which the slots are 10 above a rate of 0.6 in the shared runs.
func Published() Config {
	return Config{Units: 10, Slots: 5, Backlog: 60, Horizon: 20, Steps: 50, Lingers: true, Drops: true}
}

// Nowhere is the start of a job that has none.
const Nowhere = -1

// Machine is a run. Slots, Free and Starts are to be read only.
type Machine struct {
	Config
	// Now is the step; Idle is how many steps ago the last job arrived, 10 at most.
	Now, Idle int
	// Jobs are all of the run, by arrival, of which Arrived have come; Start is the step at which
	// each starts, or Nowhere.
	Jobs    []Job
	Arrived int
	Start   []int
	// Visible has the job in each slot, or Nowhere.
	Visible []int
	// Free are the units that are free in each step of the horizon, of which the first is now.
	Free [][Resources]int
	// Lost is how many jobs found the backlog full.
	Lost    int
	waiting []int // the backlog: waiting[head:]
	head    int
	running []int // in the order in which they were placed
	ended   bool
}

// New makes a machine, to be begun.
func New(c Config) *Machine {
	return &Machine{Config: c, Visible: make([]int, c.Slots), Free: make([][Resources]int, c.Horizon)}
}

// Begin starts a run of jobs, which are by arrival, one in a step at most, and kept. A job of step
// 0 never arrives in the original, and is refused.
func (m *Machine) Begin(jobs []Job) error {
	last := 0
	for i, j := range jobs {
		fits := j.Length > 0 && j.Length < m.Horizon
		for _, n := range j.Need {
			fits = fits && n >= 0 && n <= m.Units
		}
		if !fits || j.Arrive <= last || j.Arrive >= m.Steps {
			return fmt.Errorf("job %d is %+v, expected a length from 1 to %d, needs up to %d and an arrival from %d to %d", i,
				j, m.Horizon-1, m.Units, last+1, m.Steps-1)
		}
		last = j.Arrive
	}
	m.Now, m.Idle, m.Jobs, m.Arrived, m.Lost, m.head, m.ended = 0, 0, jobs, 0, 0, 0, false
	m.Start, m.waiting, m.running = m.Start[:0], m.waiting[:0], m.running[:0]
	for range jobs {
		m.Start = append(m.Start, Nowhere)
	}
	for i := range m.Visible {
		m.Visible[i] = Nowhere
	}
	for t := range m.Free {
		m.Free[t] = m.whole()
	}
	return nil
}

func (m *Machine) whole() (all [Resources]int) {
	for r := range all {
		all[r] = m.Units
	}
	return all
}

// Ended reports whether the run is over.
func (m *Machine) Ended() bool { return m.ended }

// Backlogged is how many jobs are in the backlog, and Running how many have a place.
func (m *Machine) Backlogged() int { return len(m.waiting) - m.head }

// Running is how many jobs have a place and have not left.
func (m *Machine) Running() int { return len(m.running) }

// Finish is the step at which a placed job ends.
func (m *Machine) Finish(job int) int { return m.Start[job] + m.Jobs[job].Length }

// Slowdown is the time in the system of a placed job over its length.
func (m *Machine) Slowdown(job int) float64 {
	return float64(m.Finish(job)-m.Jobs[job].Arrive) / float64(m.Jobs[job].Length)
}

// Offset is the first step of the horizon from which a job fits for its whole length, or Nowhere.
// The original does not try the last: a job ends before the horizon does.
func (m *Machine) Offset(job int) int {
	for t := range m.Horizon - m.Jobs[job].Length {
		if m.fits(job, t) {
			return t
		}
	}
	return Nowhere
}

// fits reports whether a job fits from a step of the horizon on.
func (m *Machine) fits(job, from int) bool {
	j := &m.Jobs[job]
	for t := from; t < from+j.Length; t++ {
		for r, n := range j.Need {
			if m.Free[t][r] < n {
				return false
			}
		}
	}
	return true
}

// Act takes a slot's job, or with the number of slots moves on. It gives the reward, and whether a
// step passed.
func (m *Machine) Act(choice int) (reward float64, moved bool) {
	if choice < m.Slots && m.Visible[choice] != Nowhere {
		if t := m.Offset(m.Visible[choice]); t != Nowhere {
			m.place(choice, t)
			return 0, false
		}
	}
	m.move()
	return m.reward(), true
}

func (m *Machine) place(slot, from int) {
	job := m.Visible[slot]
	m.Start[job] = m.Now + from
	for t := from; t < from+m.Jobs[job].Length; t++ {
		for r, n := range m.Jobs[job].Need {
			m.Free[t][r] -= n
		}
	}
	m.running = append(m.running, job)
	m.Visible[slot] = Nowhere
	if m.Backlogged() > 0 {
		m.Visible[slot] = m.waiting[m.head]
		m.head++
	}
}

// move lets a step pass.
func (m *Machine) move() {
	m.Now++
	copy(m.Free, m.Free[1:])
	m.Free[m.Horizon-1] = m.whole()
	m.leave()
	m.Idle = min(m.Idle+1, mostIdle)
	if m.over() {
		m.ended = true
		return
	}
	if m.Arrived < len(m.Jobs) && m.Jobs[m.Arrived].Arrive == m.Now {
		m.arrive(m.Arrived)
		m.Arrived++
	}
}

// leave removes jobs that have ended.
func (m *Machine) leave() {
	kept, hidden := m.running[:0], false
	for _, job := range m.running {
		gone := m.Finish(job) <= m.Now && !hidden
		if !gone {
			kept = append(kept, job)
		}
		hidden = gone && m.Lingers
	}
	m.running = kept
}

// over reports whether the run ends at this step.
func (m *Machine) over() bool {
	if m.Now < m.Steps || !m.AllDone {
		return m.Now >= m.Steps
	}
	for _, job := range m.Visible {
		if job != Nowhere {
			return false
		}
	}
	return len(m.running) == 0 && m.Backlogged() == 0
}

func (m *Machine) arrive(job int) {
	m.Idle = 0
	for i, other := range m.Visible {
		if other == Nowhere {
			m.Visible[i] = job
			return
		}
	}
	if m.Drops && m.Backlogged() >= m.Backlog {
		m.Lost++
		return
	}
	m.waiting = append(m.waiting, job)
}

// reward is minus the sum of 1/length over the jobs in the system.
func (m *Machine) reward() (sum float64) {
	for _, list := range [][]int{m.running, m.Visible, m.waiting[m.head:]} {
		for _, job := range list {
			if job != Nowhere {
				sum -= 1 / float64(m.Jobs[job].Length)
			}
		}
	}
	return sum
}
