// Package deepshare reads the job lists of DeepShare's simulator ("Network contention-aware cluster
// scheduling with reinforcement learning", ICPADS 2023; gajagajago/deepshare, scheduler/traces), in
// two layouts.
//
// The authors' own files, real/trace0, simulate/trace0 and train/jobset*/episode*, are a JSON object
// with a member for each job, whose name is the job's, a number:
//
//	{"0": {"model": "MoE", "gpu_demand": 8, "total_samples_to_train": 1307.6}, "1": ...}
//
// CSV with a header has columns in any order.
//
//	job            name of the job; the order of names is the queue's
//	model          the job's model, by which profiles have its throughput
//	num_gpus       GPUs of the gang
//	total_samples  samples to train, also in parts
//	submit_s       submit in seconds; may be absent or empty: 0, as all jobs of the authors' lists are there at the start
//	sample_s       seconds of a sample on one reference GPU; may be absent or empty: the model's
//
// # Work
//
// Work is total_samples x sample_s, rounded to a microsecond. sample_s of the authors' six models
// is 2 GPUs over the samples per second of a job alone on 2 GPUs of 2 machines, as they measured
// it; other models have 1 ms, which is drawn (origin.Work). The speed model deepshare counts
// samples, so that the length of a run does not depend on it. Iterations are samples, rounded.
package deepshare

import (
	"fmt"
	"io"
	"math"
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

// Parse reads a trace from r; the name stands in errors.
func Parse(name string, r io.Reader, opt intake.Options) (*sim.Workload, *intake.Report, error) {
	in, err := tabular.Decode(name, r)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	c, measured := intake.New(name, opt), samples()
	if in.First() == '{' {
		err = members(c, name, in, measured)
	} else {
		rows := tabular.NewReader(name, in)
		rows.Optional = []string{"submit_s", "sample_s"}
		if err = rows.Header("job", "model", "num_gpus", "total_samples"); err == nil {
			err = c.Jobs(rows, func(row *tabular.Row) sim.Job { return job(row, measured) })
		}
	}
	if err != nil {
		return nil, nil, err
	}
	return c.Finish("deepshare", intake.AsWritten,
		origin.Origin{Field: "work", Source: "total_samples x sample_s, by default 2 GPUs over the measured samples " +
			"per second on 2 GPUs of 2 machines; other models have 1 ms"})
}

// member is a job of the authors' own files.
type member struct {
	Model   tabular.Text `json:"model"`
	GPUs    tabular.Text `json:"gpu_demand"`
	Samples tabular.Text `json:"total_samples_to_train"`
}

// members reads the authors' own files.
func members(c *intake.Collector, name string, in *tabular.Stream, measured map[string]float64) error {
	list := tabular.NewObjects(name, in)
	list.Keyed = true
	for number := 1; ; number++ {
		var m member
		line, err := list.Next(&m)
		if err == io.EOF {
			return nil
		}
		if fault, ok := err.(*tabular.Fault); ok {
			err = c.Reject(fault)
		} else if err == nil {
			row := tabular.NewRow(name, line, number, []string{"job", "model", "num_gpus", "total_samples"},
				[]string{list.Key, string(m.Model), string(m.GPUs), string(m.Samples)})
			err = c.Keep(row, job(row, measured))
		}
		if err != nil {
			return err
		}
	}
}

const (
	unknownS = 1e-3
	maxWorkS = 1e12
)

// samples are per second, of a job alone on 2 GPUs of 2 machines (scheduler/jobs of
// gajagajago/deepshare).
func samples() map[string]float64 {
	return map[string]float64{"mobilenetv3": 677.6, "graphsage": 495725.68, "fsdp": 17.12, "transformer-xl": 24.85,
		"dlrm": 11453.33, "moe": 12.29}
}

func job(row *tabular.Row, measured map[string]float64) sim.Job {
	if len(row.Faults()) > 0 {
		return sim.Job{}
	}
	j := sim.Job{ID: row.Name("job"), Model: row.Name("model"), GPUs: int32(row.Count("num_gpus", 1, intake.MaxGPUs))}
	if j.Model == "" {
		row.Reject("model", "a model")
	}
	total := row.Float("total_samples", 0, true)
	if row.Known("submit_s") {
		j.Submit = sim.Time(row.Micros("submit_s"))
	}
	perS, known := measured[strings.ToLower(j.Model)]
	switch {
	case row.Known("sample_s"):
		j.IterS = row.Float("sample_s", 0, true)
	case known:
		j.IterS = 2 / perS
	default:
		j.IterS, j.Drawn = unknownS, origin.Work
	}
	if len(row.Faults()) > 0 {
		return j
	}
	work := math.Round(float64(total*j.IterS) * 1e6)
	if !(work >= 1 && work <= maxWorkS*1e6) || total > 1<<53 {
		row.Reject("total_samples", fmt.Sprintf("1e-6 s to 1e12 s of work in samples of %g s each", j.IterS))
		return j
	}
	j.Work, j.Iterations = sim.Time(work), max(1, int64(math.Round(total)))
	return j
}
