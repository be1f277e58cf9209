package cluster

import (
	"fmt"
	"slices"
	"strings"

	"tarry/internal/param"
	"tarry/internal/rng"
	"tarry/sim"
	"tarry/traces"
)

// shares are the lengths of the parts of a trace, in proportion.
func shares() [3]float64 { return [3]float64{70, 15, 15} }

// TraceFile tells the path in the value of the option trace from what stands before it, "" or
// "FORMAT:"; path is "" where nothing is read from a file.
func TraceFile(trace string) (format, path string) {
	name, rest, colon := strings.Cut(trace, ":")
	for _, f := range traces.Formats() {
		switch {
		case !colon || f.Name != name:
		case name == "synth":
			return trace, ""
		default:
			return name + ":", rest
		}
	}
	return "", trace
}

// OpenTrace reads what the option trace names.
func OpenTrace(trace string) (*sim.Workload, error) {
	if format, path := TraceFile(trace); format == "" {
		w, _, err := traces.Open("csv:"+path, traces.Options{Strict: true})
		return w, err
	}
	w, _, err := traces.Open(trace, traces.Options{Source: rng.Source{Seed: 1}})
	return w, err
}

// traced is the source of the trace settings.
func traced(s *param.Set, c *Config, trace string) Source {
	gap := sim.Time(float64(s.Float("gap", 24, 0, 1e6) * float64(c.Lease())))
	size := s.Int("batch_jobs", 0, 0, maxWindowJobs)
	w, err := OpenTrace(trace)
	if err != nil {
		s.Fault("trace: %v", err)
		return nil
	}
	if first, last := w.Span(); first == last {
		b, err := NewBatch(w, shares(), size, s.Int("windows", 1000, 1, 1<<30), uint64(s.Int("data_seed", 0, 0, 1<<62)))
		if err != nil {
			s.Fault("trace %s: %v", trace, err)
			return nil
		}
		return b
	}
	if size > 0 {
		s.Fault("batch_jobs is %d, expected 0: the jobs of trace %s do not come all at once", size, trace)
	}
	if c.Horizon == 0 {
		s.Fault("horizon is 0 with a trace, expected > 0: it is the length of the windows")
		return nil
	}
	r, err := NewRecorded(w, shares(), gap, c.length())
	if err != nil {
		s.Fault("trace %s: %v; a shorter warm, horizon, gap or lease_s would do", trace, err)
		return nil
	}
	return r
}

// Batch is a list of jobs that are all there from the start. They are dealt out to the parts at random; a
// window is a part's whole list, or some jobs drawn from it.
type Batch struct {
	parts map[Part]*sim.Workload
	size  int
	count int
	seed  uint64
}

// NewBatch deals a list out in the ratio of shares. Windows are count draws of size jobs from a part, without
// replacement in each; size 0 = one window, the whole part.
func NewBatch(w *sim.Workload, shares [3]float64, size, count int, seed uint64) (*Batch, error) {
	n := len(w.Jobs)
	sum := shares[0] + shares[1] + shares[2]
	a := int(float64(float64(n) * shares[0] / sum))
	b := int(float64(float64(n) * (shares[0] + shares[1]) / sum))
	least := min(a, b-a, n-b)
	if least < 1 || size > least {
		return nil, fmt.Errorf("workload %q: its parts have %d, %d and %d jobs, expected at least %d in each", w.Name, a, b-a, n-b, max(size, 1))
	}
	order := rng.Source{Seed: seed}.Stream("batch").Perm(n)
	jobs := make([]sim.Job, n)
	for i, k := range order {
		j := w.Jobs[k]
		if j.Deadline > 0 {
			j.Deadline -= j.Submit
		}
		j.Submit = 0
		jobs[i] = j
	}
	out := &Batch{map[Part]*sim.Workload{}, size, count, seed}
	for p, part := range map[Part][]sim.Job{Train: jobs[:a], Validation: jobs[a:b], Test: jobs[b:]} {
		made, err := sim.NewWorkload(w.Name+"/"+string(p), part)
		if err != nil {
			return nil, err
		}
		out.parts[p] = made
	}
	return out, nil
}

// Jobs is all that the windows of a part are drawn from.
func (b *Batch) Jobs(p Part) *sim.Workload { return b.parts[p] }

// Windows is 1 where a window is the whole part.
func (b *Batch) Windows(Part) int {
	if b.size == 0 {
		return 1
	}
	return b.count
}

// Window is the part's list, or a draw from it.
func (b *Batch) Window(p Part, i int) (*sim.Workload, error) {
	jobs := slices.Clone(b.parts[p].Jobs)
	if b.size > 0 {
		r := rng.Source{Seed: b.seed, Replicate: uint64(i)}.Stream("batch/" + string(p))
		r.Shuffle(len(jobs), func(x, y int) { jobs[x], jobs[y] = jobs[y], jobs[x] })
		jobs = jobs[:b.size]
	}
	return sim.NewWorkload(fmt.Sprintf("%s/%d", b.parts[p].Name, i), jobs)
}
