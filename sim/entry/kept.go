package entry

import (
	"os"
	"slices"
	"sync"

	"tarry/sim"
)

// Kept gives formats that keep what was read last, at most so many traces: a file that is opened
// again with the same options is not read again, unless its size or its time of change is another.
// What is generated and folders are opened each time. Workloads are only read, so that callers that
// open them share one. The formats serve any number of goroutines.
func (c Traces) Kept(most int) Traces {
	k := &keptTraces{most: most}
	out := slices.Clone(c)
	for i := range out {
		if f := out[i]; !f.Generated {
			out[i].Open = func(path string, opt TraceOptions) (*sim.Workload, *Report,
				error) {
				return k.open(&f, path, opt)
			}
		}
	}
	return out
}

// keptTraces are what was read last, the latest at the end.
type keptTraces struct {
	most int
	mu   sync.Mutex
	all  []*keptTrace
}

// keptTrace is a trace that was read, or is being read.
type keptTrace struct {
	key    traceKey
	read   sync.Once
	jobs   *sim.Workload
	report *Report
	err    error
}

// traceKey is all that a trace depends on.
type traceKey struct {
	format, path  string
	strict        bool
	maxJobs       int
	size, changed int64
}

func (k *keptTraces) open(f *Trace, path string, opt TraceOptions) (*sim.Workload, *Report, error) {
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() {
		return f.Open(path, opt)
	}
	t := k.find(traceKey{f.Name, path, opt.Strict, opt.MaxJobs, st.Size(), st.ModTime().UnixNano()})
	t.read.Do(func() { t.jobs, t.report, t.err = f.Open(path, opt) })
	if t.err != nil || t.report == nil {
		k.drop(t)
		return t.jobs, t.report, t.err
	}
	report := *t.report // the caller adds to it
	report.Dropped, report.Notes = slices.Clone(report.Dropped), slices.Clone(report.Notes)
	return t.jobs, &report, nil
}

// find gives the trace of a key, and makes room for it.
func (k *keptTraces) find(key traceKey) *keptTrace {
	k.mu.Lock()
	defer k.mu.Unlock()
	t := &keptTrace{key: key}
	if i := slices.IndexFunc(k.all, func(t *keptTrace) bool { return t.key == key }); i >= 0 {
		t = k.all[i]
		k.all = slices.Delete(k.all, i, i+1)
	}
	if len(k.all) == k.most {
		k.all = slices.Delete(k.all, 0, 1)
	}
	k.all = append(k.all, t)
	return t
}

// drop forgets a trace.
func (k *keptTraces) drop(t *keptTrace) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.all = slices.DeleteFunc(k.all, func(have *keptTrace) bool { return have == t })
}
