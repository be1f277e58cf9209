package fit

import "fmt"

// Form is one of Optimus' forms of a job's speed: its reciprocal, the seconds of a step, is a sum
// of terms with coefficients that are not negative. w are the workers, p the parameter servers, B
// the samples of a step.
type Form int

// The forms.
const (
	// Asynchronous has w steps at once: 1/w, 1/p, 1 and p/w, from x = w/(a + b w/p + c w + d p).
	Asynchronous Form = iota
	// Synchronous divides the samples of a step: B/w, 1, w/p, w and p.
	Synchronous
	// AllReduce is ours, for workers that synchronise without servers: B/w, 1 and w. It is the
	// second form with as many servers as workers.
	AllReduce
)

// String names a form.
func (f Form) String() string {
	switch f {
	case Asynchronous:
		return "async"
	case Synchronous:
		return "sync"
	case AllReduce:
		return "all-reduce"
	}
	return fmt.Sprintf("Form(%d)", int(f))
}

// Terms appends a step's terms to to, for counts of 1 or more.
func (f Form) Terms(to []float64, workers, servers int, batch float64) []float64 {
	w, p := float64(workers), float64(servers)
	switch f {
	case Asynchronous:
		return append(to, 1/w, 1/p, 1, p/w)
	case Synchronous:
		return append(to, batch/w, 1, w/p, w, p)
	default:
		return append(to, batch/w, 1, w)
	}
}
