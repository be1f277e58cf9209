// Package pollux reads the workloads of the simulator of Pollux (Qiao et al., "Pollux: co-adaptive
// cluster scheduling for goodput-optimized deep learning", OSDI 2021): CSV with a header, columns
// in any order.
//
//	name          name of the job
//	time          submit, seconds on the trace's own clock, which is kept: that simulator schedules at full minutes of it
//	application   bert, cifar10, deepspeech2, imagenet, ncf or yolov3: the job's model
//	num_replicas  GPUs that schedulers of fixed size give
//	batch_size    samples of an update that the job asks for
//
// Other columns are not read.
//
// # Work and range
//
// There is no duration: a job ends when it has made the epochs of its application. Work is the
// progress that these are, in steps at the application's initial batch size, times the time of such
// a step on one GPU (Job.IterS); applications.go has both. How much progress an update makes at
// which batch size, and how long it takes on how many GPUs, is known to the speed model pollux.
//
// A job may run on 1 to 64 GPUs, the most of the authors' measurements, or up to num_replicas if
// that is more; ncf, which they do not scale, on num_replicas alone.
//
// Jobs of one time keep the order of the file: where their names are in another, those before the
// last are some microseconds early.
package pollux

import (
	"io"
	"math"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/tabular"
	"tarry/traces/intake"
)

// Read reads the trace at path, plain or compressed.
func Read(path string, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	return intake.File(path, opt, Parse)
}

// mostGPUs is the largest number of the authors' measurements.
const mostGPUs = 64

// Parse reads a trace from r; the name stands in errors.
func Parse(name string, r io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	in, err := tabular.Decode(name, r)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	rows := tabular.NewReader(name, in)
	if err := rows.Header("name", "time", "application", "num_replicas", "batch_size"); err != nil {
		return nil, nil, err
	}
	keep, known, line := intake.New(name, opt), applications(), map[string]int{}
	if err := intake.Rows(rows, func(row *tabular.Row) error {
		j := job(row, known)
		if _, twice := line[j.ID]; !twice {
			line[strings.Clone(j.ID)] = row.Line
		}
		return keep.Keep(row, j)
	}); err != nil {
		return nil, nil, err
	}
	w, report, err := keep.Finish("pollux", intake.AsWritten,
		origin.Origin{Field: "work", Source: "the progress of all epochs x the time of a step at the initial batch " +
			"size on one T4 (the authors' measurements), rounded to a microsecond"},
		origin.Origin{Field: "gpus", Source: "1 to 64 GPUs, the most of the authors' measurements, or up to " +
			"num_replicas; ncf on num_replicas alone"})
	if err == nil {
		inOrder(w.Jobs, line)
	}
	return w, report, err
}

func job(row *tabular.Row, known []application) sim.Job {
	if len(row.Faults()) > 0 {
		return sim.Job{}
	}
	j := sim.Job{
		ID: row.Name("name"), Model: row.Text("application"), Submit: sim.Time(row.Micros("time")),
		GPUs:      int32(row.Count("num_replicas", 1, intake.MaxGPUs)),
		BatchSize: int32(row.Count("batch_size", 1, math.MaxInt32)),
	}
	i := slices.IndexFunc(known, func(a application) bool { return a.name == j.Model })
	if i < 0 {
		var names []string
		for _, a := range known {
			names = append(names, a.name)
		}
		row.Reject("application", "one of "+strings.Join(names, ", "))
		return j
	}
	a := &known[i]
	j.Work, j.Iterations, j.IterS = sim.Seconds(a.progress*a.stepS), int64(math.Round(a.progress)), a.stepS
	if a.scales {
		j.MinGPUs, j.MaxGPUs = 1, max(mostGPUs, j.GPUs)
	}
	return j
}

// inOrder gives jobs of one time the order of their lines.
func inOrder(jobs []sim.Job, line map[string]int) {
	byLine := func(a, b sim.Job) int { return line[a.ID] - line[b.ID] }
	for lo := 0; lo < len(jobs); {
		hi := lo + 1
		for hi < len(jobs) && jobs[hi].Submit == jobs[lo].Submit {
			hi++
		}
		group := jobs[lo:hi]
		if lo = hi; slices.IsSortedFunc(group, byLine) || group[0].Submit < sim.Time(len(group)) {
			continue
		}
		slices.SortFunc(group, byLine)
		for i := range group {
			group[i].Submit -= sim.Time(len(group) - 1 - i)
		}
	}
}
