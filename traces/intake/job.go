package intake

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"unicode/utf8"

	"tarry/internal/natural"
	"tarry/sim"
	"tarry/sim/recorded"
	"tarry/sim/tabular"
)

// The bounds of one job. They are far beyond any recorded one, and small enough that a job costs
// little to simulate: with leases of an hour the longest has some 300 000 events.
const (
	// MaxName is the longest id, model, user, cluster, type or state in bytes.
	MaxName = 1 << 12
	// MaxRun is the longest run on the GPUs asked for: 31.7 years.
	MaxRun = 1_000_000_000 * sim.Second
	// maxSubmit is the latest submit: the year 2286 where time counts from 1970.
	maxSubmit = 10_000_000_000 * sim.Second
	// minIter is the shortest iteration.
	minIter = sim.Microsecond
)

// checkJob rejects a row whose job is beyond the bounds of a trace, or that no simulation takes.
func checkJob(row *tabular.Row, j *sim.Job) {
	if len(row.Faults()) > 0 {
		return
	}
	switch {
	case longest(j) > MaxName:
		row.Rejectf("a name of the job has %d bytes, expected at most %d", longest(j), MaxName)
	case !utf8.ValidString(j.ID + j.Model + j.User + j.Group + j.VC + j.GPUType + j.State):
		row.Rejectf("a name is not UTF-8 text")
	case j.GPUs < 1 || j.GPUs > MaxGPUs:
		row.Rejectf("the job asks for %d GPUs, expected 1 to %d", j.GPUs, MaxGPUs)
	case j.Submit < 0 || j.Submit > maxSubmit:
		row.Rejectf("the job's submit is %v, expected 0 to %v", j.Submit, maxSubmit)
	case j.Work <= 0 || j.Work > MaxRun*1000:
		row.Rejectf("the job's work is %v, expected more than 0 and at most %v", j.Work, MaxRun*1000)
	case j.Work/sim.Time(j.GPUs) > MaxRun:
		row.Rejectf("the job runs for %v on each of its %d GPUs, expected at most %v (31.7 years)",
			j.Work/sim.Time(j.GPUs), j.GPUs, MaxRun)
	case j.Request < 0 || j.Request > MaxRun:
		row.Rejectf("the job's request is %v, expected 0 (unknown) to %v (31.7 years)", j.Request, MaxRun)
	case !(j.IterS >= 0) || j.IterS > MaxRun.Seconds()*MaxGPUs || j.IterS > 0 && j.IterS < minIter.Seconds():
		row.Rejectf("an iteration of the job takes %g s, expected 0 (unknown) or at least %v", j.IterS, minIter)
	case j.Iterations > int64(j.Work/minIter):
		row.Rejectf("the job has %d iterations in %v of work, expected at most one in %v", j.Iterations, j.Work,
			minIter)
	default:
		if err := j.Check(); err != nil {
			row.Rejectf("the job %v", err)
		}
	}
}

func longest(j *sim.Job) int {
	return max(len(j.ID), len(j.Model), len(j.User), len(j.Group), len(j.VC), len(j.GPUType), len(j.State))
}

// Work is a traced run of the given length (microseconds) on g GPUs as time on one
// GPU. What does not fit becomes a time that Keep refuses.
func Work(micros int64, g int32) sim.Time {
	hi, lo := bits.Mul64(uint64(micros), uint64(g))
	if micros < 0 || g < 0 || hi != 0 || lo > math.MaxInt64 {
		return sim.Never
	}
	return sim.Time(lo)
}

// ShareWork is a traced run of the given length (microseconds) on a share (thousandths; 0 = all)
// of one GPU as time on the whole GPU, at least a microsecond when the run is.
func ShareWork(micros int64, milli int32) sim.Time {
	if milli == 0 || micros <= 0 {
		return Work(micros, 1)
	}
	hi, lo := bits.Mul64(uint64(micros), uint64(milli))
	if hi >= 1000 {
		return sim.Never
	}
	q, r := bits.Div64(hi, lo, 1000)
	if r >= 500 || q == 0 {
		q++
	}
	return sim.Time(q)
}

// Recorded gives what a trace's own cluster did with a job: its first start, on the clock of its
// submit, and its machines. A start before the submit counts as not recorded.
func Recorded(submit, start int64, places ...recorded.Place) *recorded.Run {
	if start < submit {
		return nil
	}
	r := &recorded.Run{Wait: start - submit, Machines: recorded.Join(places)}
	if len(r.Machines) > recorded.MaxMachines || !utf8.ValidString(r.Machines) {
		r.Machines = ""
	}
	return r
}

// equal reports whether two rows state the same job.
func equal(a, b *sim.Job) bool {
	x, y := *a, *b
	x.Record, y.Record = nil, nil
	return x == y && (a.Record == b.Record || a.Record != nil && b.Record != nil && *a.Record == *b.Record)
}

// chunk is how many jobs are held together: a list that doubles would copy every
// job several times and hold two copies of all of them at its worst.
const chunk = 1024

func (c *Collector) append(j sim.Job) {
	if c.kept%chunk == 0 {
		c.chunks = append(c.chunks, make([]sim.Job, 0, chunk))
	}
	last := &c.chunks[len(c.chunks)-1]
	*last = append(*last, j)
	c.kept++
}

// sorted gives the jobs in the order of a workload. It sorts small keys, not jobs.
func (c *Collector) sorted() []sim.Job {
	type key struct {
		submit sim.Time
		at     int
	}
	at := func(i int) *sim.Job { return &c.chunks[i/chunk][i%chunk] }
	keys := make([]key, c.kept)
	for i := range keys {
		keys[i] = key{at(i).Submit, i}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if c := cmp.Compare(a.submit, b.submit); c != 0 {
			return c
		}
		return natural.Compare(at(a.at).ID, at(b.at).ID)
	})
	jobs := make([]sim.Job, c.kept)
	for i, k := range keys {
		jobs[i] = *at(k.at)
	}
	c.chunks = nil
	return jobs
}
