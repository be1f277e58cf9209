package slots

import "slices"

// Rule chooses by what is visible.
type Rule struct {
	// Name is SJF, ...; Doc states which job it takes.
	Name, Doc string
	// Choose gives a slot, or the number of slots to move on.
	Choose func(m *Machine) int
}

// Rules lists the rules of the original, FIFO, and SJF with
// reservations for all or for short jobs, which the original lacks.
func Rules() []Rule {
	return []Rule{
		{"SJF", "the shortest visible job that fits now", (*Machine).sjf},
		{"Packer", "the job that fits now with the largest product of free units and needs", func(m *Machine) int {
			return m.best(func(job int) float64 { return m.product(job) })
		}},
		{"Mix0.5", "half the Packer's product and half of 1/length", func(m *Machine) int {
			return m.best(func(job int) float64 {
				return float64(0.5*m.product(job)) + 0.5/float64(m.Jobs[job].Length)
			})
		}},
		{"FIFO", "the oldest visible job alone, when it fits now", (*Machine).fifo},
		{"SJF-reserved", "the shortest visible job, at its first place in the horizon", (*Machine).reserve},
		{"SJF-ahead", "the shortest visible job whose steps until its first place x length are at most 6, of equals the " +
			"one with the largest need", (*Machine).ahead},
	}
}

// mostAhead bounds the steps until a place x length of SJF-ahead: a reservation keeps units from
// jobs that are yet to come, the more the longer the job is. Chosen on drawn lists of jobs.
const mostAhead = 6

// sjf is the shortest job that fits now.
func (m *Machine) sjf() int {
	return m.best(func(job int) float64 { return 1 / float64(m.Jobs[job].Length) })
}

// best is the first slot with the largest score, above 0, of jobs that fit now; none: move on.
func (m *Machine) best(score func(job int) float64) int {
	choice, most := m.Slots, 0.0
	for slot, job := range m.Visible {
		if job != Nowhere && m.fits(job, 0) {
			if s := score(job); s > most {
				choice, most = slot, s
			}
		}
	}
	return choice
}

// product is the free units of now times the needs of a job.
func (m *Machine) product(job int) float64 {
	sum := 0
	for r, n := range m.Jobs[job].Need {
		sum += m.Free[0][r] * n
	}
	return float64(sum)
}

// fifo is the oldest visible job, when it fits.
func (m *Machine) fifo() int {
	choice := m.Slots
	for slot, job := range m.Visible {
		if job != Nowhere && (choice == m.Slots || job < m.Visible[choice]) {
			choice = slot
		}
	}
	if choice < m.Slots && !m.fits(m.Visible[choice], 0) {
		return m.Slots
	}
	return choice
}

// reserve is the shortest job with a place anywhere.
func (m *Machine) reserve() int {
	choice := m.Slots
	for slot, job := range m.Visible {
		if job != Nowhere && (choice == m.Slots || m.Jobs[job].Length < m.Jobs[m.Visible[choice]].Length) &&
			m.Offset(job) != Nowhere {
			choice = slot
		}
	}
	return choice
}

// ahead is the shortest job with a place soon.
func (m *Machine) ahead() int {
	choice := m.Slots
	for slot, job := range m.Visible {
		if job == Nowhere || choice < m.Slots && !m.before(job, m.Visible[choice]) {
			continue
		}
		if t := m.Offset(job); t != Nowhere && t*m.Jobs[job].Length <= mostAhead {
			choice = slot
		}
	}
	return choice
}

// before reports whether a job is shorter than another, or as long with a larger need.
func (m *Machine) before(job, other int) bool {
	a, b := &m.Jobs[job], &m.Jobs[other]
	if a.Length != b.Length {
		return a.Length < b.Length
	}
	return slices.Max(a.Need[:]) > slices.Max(b.Need[:])
}
