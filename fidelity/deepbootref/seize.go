package deepbootref

import (
	"errors"
	"math"
	"slices"

	"tarry/baselines/deepboot/ats"
)

// grid is the GPUs of some jobs by node.
type grid struct {
	jobs []int
	rows [][]int
}

func (w *world) grid(jobs []int) grid {
	g := grid{jobs: jobs}
	for _, i := range jobs {
		row := make([]int, w.nodes)
		for _, n := range w.alloc[i] {
			row[n]++
		}
		g.rows = append(g.rows, row)
	}
	return g
}

// column counts the GPUs of a node.
func (g *grid) column(n int) (sum int) {
	for _, row := range g.rows {
		sum += row[n]
	}
	return sum
}

// lose takes a GPU of the first job that has one on a node; false where none has.
func (g *grid) lose(n int) bool {
	for _, row := range g.rows {
		if row[n] > 0 {
			row[n]--
			return true
		}
	}
	return false
}

// seizure is the services' part between intervals: waiting tasks take free GPUs, pods that sleep, and GPUs
// of training.
type seizure struct {
	*world
	train, tasks, asleep grid
	wait                 [][]int // rows of tasks without a GPU
	empty                []int   // GPUs of each node that nothing has
}

// seize decides for services.
func (w *world) seize(_ *world, jobs []int) ([][]int, error) {
	sorted := w.byService(jobs)
	s := &seizure{world: w}
	var train, tasks, asleep []int
	for _, i := range sorted {
		j := w.jobs[i]
		switch p := w.podOf(j); {
		case !j.service:
			train = append(train, i)
		case p != nil && p.state == sleeping:
			asleep = append(asleep, i)
		default:
			tasks = append(tasks, i)
		}
	}
	s.train, s.tasks, s.asleep = w.grid(train), w.grid(tasks), w.grid(asleep)
	for _, row := range s.tasks.rows {
		if total(row) == 0 {
			s.wait = append(s.wait, row)
		}
	}
	for n := range w.nodes {
		s.empty = append(s.empty, w.gpus-s.train.column(n)-s.tasks.column(n)-s.asleep.column(n))
	}
	err := s.fill(len(jobs))
	out := make([][]int, len(w.jobs))
	for _, g := range []grid{s.train, s.tasks, s.asleep} {
		for at, i := range g.jobs {
			out[i] = []int{}
			for n, has := range g.rows[at] {
				out[i] = append(out[i], slices.Repeat([]int{n}, has)...)
			}
		}
	}
	return out, err
}

// take gives the first waiting task a GPU of a node.
func (s *seizure) take(n int) {
	s.wait[0][n] = 1
	s.wait = s.wait[1:]
}

// fill serves the waiting tasks; jobs are all that stand before the schedulers.
func (s *seizure) fill(jobs int) error {
	if s.aryl {
		return s.fillHalf()
	}
	order := s.byTraining()
	for _, n := range order {
		for ; len(s.wait) > 0 && s.empty[n] > 0; s.empty[n]-- {
			s.take(n)
		}
	}
	for _, n := range order {
		for len(s.wait) > 0 && s.asleep.lose(n) {
			s.take(n)
		}
	}
	return s.fromTraining(jobs)
}

// byTraining lists the nodes by the GPUs that training has there.
func (s *seizure) byTraining() []int {
	order := make([]int, s.nodes)
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return s.train.column(a) - s.train.column(b) })
	return order
}

// fromTraining takes GPUs of training one by one. The fair share is over all jobs and all GPUs.
func (s *seizure) fromTraining(jobs int) error {
	share := 1 / float64(s.nodes*s.gpus)
	fair, fairNodes := math.Ceil(1/share/float64(jobs)), int(math.Ceil(float64(s.nodes)*share))
	if int(fair) < fairNodes {
		return errors.New("a fair share of no GPU")
	}
	bases := make([]float64, len(s.train.jobs))
	for at, i := range s.train.jobs {
		bases[at] = s.jobs[i].baseline(fairNodes, int(fair))
	}
	for len(s.wait) > 0 {
		job, node := ats.Loser(s.train.rows, func(at, nodes, gpus int) float64 {
			return s.jobs[s.train.jobs[at]].speedup(nodes, gpus, bases[at], fair)
		})
		if job < 0 {
			return nil
		}
		s.train.rows[job][node]--
		s.take(node)
	}
	return nil
}

// fillHalf is what their rendering of Lyra does: services take nodes of the second half, and jobs that
// train on such a node leave it.
func (s *seizure) fillHalf() error {
	asleep := make([]int, s.nodes)
	for n := range asleep {
		asleep[n] = s.asleep.column(n)
	}
	if err := s.half(s.empty, false); err != nil {
		return err
	}
	if err := s.half(asleep, true); err != nil {
		return err
	}
	half := s.nodes / 2
	gpus := make([]int, s.nodes)
	for n := range gpus {
		gpus[n] = s.train.column(n)
	}
	order := slices.DeleteFunc(s.byTraining(), func(n int) bool { return n < half })
	for _, n := range order {
		for len(s.wait) > 0 && gpus[n] > 0 {
			gpus[n]--
			s.take(n)
			if had := s.vacate(n); had > 0 {
				gpus[n] = had - 1
			}
		}
	}
	return nil
}

// vacate takes all GPUs of training on a node and gives their number.
func (s *seizure) vacate(n int) (had int) {
	had = s.train.column(n)
	for _, row := range s.train.rows {
		row[n] = 0
	}
	return had
}

// half takes GPUs of the second half, and with each the GPUs of training there.
func (s *seizure) half(gpus []int, asleep bool) error {
	for n := s.nodes / 2; n < s.nodes; n++ {
		first := true
		for len(s.wait) > 0 && gpus[n] > 0 {
			if asleep && first && !s.asleep.lose(n) {
				return errors.New("no pod sleeps on a node where one is to")
			}
			gpus[n]--
			s.take(n)
			had := s.vacate(n)
			if gpus[n] += had; had > 0 {
				first = false
			}
		}
	}
	return nil
}
