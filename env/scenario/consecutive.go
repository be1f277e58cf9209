package scenario

import (
	"errors"
	"fmt"
	"strconv"

	"tarry/sim"
	"tarry/sim/origin"
)

// RLScheduler names the windows of RLScheduler's tables (Zhang et al., SC 2020) where first jobs of
// windows are listed.
const RLScheduler = "rlscheduler"

// RLSchedulerStarts are the first jobs of these ten windows, of 1024 jobs each: env.seed(1) of the
// published program, for logs of which it reads 10000 jobs.
func RLSchedulerStarts() []int {
	return []int{1981, 2756, 4299, 8850, 3316, 2714, 5228, 7762, 4022, 7085}
}

// Consecutive cuts windows of a number of jobs that come one after another out of a trace, at the
// times of the trace. Windows of one part may have jobs in common, windows of test have none in
// common with the others, nor have windows of training and validation.
type Consecutive struct {
	parts  map[Part]*sim.Workload
	starts map[Part][]int // first jobs of the windows, in the whole trace
	sizes  map[Part]int
	whole  *sim.Workload
}

// NewConsecutive cuts windows of size jobs for training and validation, and of testSize for test.
// tests are the first jobs of the test windows; the jobs in none of them are training and
// validation in the ratio of shares[0] and shares[1], the earlier ones training. Without tests all
// jobs are divided by shares in order of time, and test windows follow one another. A training or
// validation window begins at each job from which on its part has enough jobs in a row; windows are
// numbered in strides, so that any first few are spread over the part.
func NewConsecutive(w *sim.Workload, size, testSize int, tests []int, shares [3]float64) (*Consecutive, error) {
	n := len(w.Jobs)
	c := &Consecutive{map[Part]*sim.Workload{}, map[Part][]int{},
		map[Part]int{Train: size, Validation: size, Test: testSize}, w}
	of := make([]Part, n)
	var errs []error
	for i, first := range tests {
		if first < 0 || first+testSize > n {
			errs = append(errs, fmt.Errorf("test window %d has the jobs %d to %d, expected numbers in 0..%d: the "+
				"trace has so many jobs", i, first, first+testSize-1, n-1))
			continue
		}
		for k := first; k < first+testSize; k++ {
			of[k] = Test
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	c.divide(of, tests, shares)
	for _, p := range [...]Part{Train, Validation, Test} {
		if p == Test && len(tests) > 0 {
			c.starts[p] = tests
		} else {
			c.starts[p] = windowsIn(of, p, c.sizes[p])
		}
		if len(c.starts[p]) == 0 {
			return nil,
				fmt.Errorf("workload %q: part %s has no %d jobs in a row, expected at least one window of them",
					w.Name, p, c.sizes[p])
		}
		var jobs []sim.Job
		for k := range of {
			if of[k] == p {
				jobs = append(jobs, w.Jobs[k])
			}
		}
		var err error
		if c.parts[p], err = sim.NewWorkload(w.Name+"/"+string(p), jobs, w.Origins...); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// divide gives the jobs that no test window has to training and validation, and to test where there
// are no test windows.
func (c *Consecutive) divide(of []Part, tests []int, shares [3]float64) {
	free := 0
	for _, p := range of {
		if p == "" {
			free++
		}
	}
	sum := shares[0] + shares[1]
	if len(tests) == 0 {
		sum += shares[2]
	}
	train := int(float64(float64(free) * shares[0] / sum))
	test := free
	if len(tests) == 0 {
		test = int(float64(float64(free) * (shares[0] + shares[1]) / sum))
	}
	at := 0
	for k, p := range of {
		if p != "" {
			continue
		}
		switch {
		case at < train:
			of[k] = Train
		case at < test:
			of[k] = Validation
		default:
			of[k] = Test
		}
		at++
	}
}

// windowsIn lists the first jobs of a part's windows: all of them in strides, or for test one after
// the other.
func windowsIn(of []Part, p Part, size int) []int {
	var all []int
	run := 0
	for k := range of {
		if of[k] != p {
			run = 0
			continue
		}
		if run++; run >= size {
			all = append(all, k-size+1)
			if p == Test {
				run = 0
			}
		}
	}
	if p == Test || len(all) == 0 {
		return all
	}
	out, step := make([]int, len(all)), stride(len(all))
	for i := range all {
		out[i] = all[i*step%len(all)]
	}
	return out
}

// Windows is how many windows the part has.
func (c *Consecutive) Windows(p Part) int { return len(c.starts[p]) }

// Jobs is all jobs of a part, also jobs that are in no window.
func (c *Consecutive) Jobs(p Part) *sim.Workload { return c.parts[p] }

// First is the number of a window's first job in the trace, counted from 0.
func (c *Consecutive) First(p Part, i int) int { return c.starts[p][i] }

// Begins is when a window's first job comes: all parts have the clock of the trace.
func (c *Consecutive) Begins(p Part, i int) sim.Time { return c.whole.Jobs[c.starts[p][i]].Submit }

// Window cuts one window. Its times are the trace's.
func (c *Consecutive) Window(p Part, i int) (*sim.Workload, error) {
	first := c.starts[p][i]
	origins := append(append([]origin.Origin(nil), c.whole.Origins...),
		origin.Origin{Field: "submit", Source: fmt.Sprintf("jobs %d to %d of %d, at the times of the trace", first,
			first+c.sizes[p]-1, len(c.whole.Jobs))})
	jobs := append([]sim.Job(nil), c.whole.Jobs[first:first+c.sizes[p]]...)
	return sim.NewWorkload(fmt.Sprintf("%s/%s/%d", c.whole.Name, p, i), jobs, origins...)
}

// parseStarts reads first jobs of windows, joined by +, or the name of a list.
func parseStarts(texts []string) ([]int, error) {
	if len(texts) == 1 && texts[0] == RLScheduler {
		return RLSchedulerStarts(), nil
	}
	var out []int
	for _, text := range texts {
		at, err := strconv.Atoi(text)
		if err != nil || at < 0 || at > maxStart {
			return nil, fmt.Errorf("test_starts has %q, expected %s, or whole numbers in 0..%d joined by +: the "+
				"first job of each window", text, RLScheduler, maxStart)
		}
		out = append(out, at)
	}
	return out, nil
}

// startsText is TestStarts as users write them.
func (c *Cuts) startsText() []string {
	var out []string
	for _, at := range c.TestStarts {
		out = append(out, strconv.Itoa(at))
	}
	return out
}

// maxStart bounds the number of a window's first job.
const maxStart = 1 << 31

// consecutive is the source of windows of window_jobs jobs of a trace.
func (s *Setup) consecutive(w *sim.Workload, errs error) (Source, error) {
	c := &s.Scenario.Cuts
	errs = errors.Join(errs, s.Scenario.misplaced("with window_jobs", "windows", "data_seed", "thin", "batch_jobs",
		"copies"))
	if c.Warm > 0 {
		errs = errors.Join(errs, wrong("warm", "warm is %g with window_jobs, expected 0: a window begins at its "+
			"first job", c.Warm))
	}
	w, err := s.faster(w)
	if err != nil {
		return nil, errors.Join(errs, err)
	}
	test := c.TestJobs
	if test == 0 {
		test = c.WindowJobs
	}
	out, err := NewConsecutive(w, c.WindowJobs, test, c.TestStarts, c.Shares)
	if err != nil {
		return nil, errors.Join(errs, wrong("trace", "trace %s: %w", s.Scenario.Trace, err))
	}
	return out, errs
}
