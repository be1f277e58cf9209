package shockwave

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tarry/sim/tabular"
)

// The files of a folder.
const (
	isolated = "v100_isolated.csv"
	pattern  = "bs_pattern_"
	maxGPUs  = 1 << 16
	maxSteps = 1e12
)

// NoTrace as the name of a trace leaves all jobs at their initial batch.
const NoTrace = "none"

// Traces lists the traces whose jobs a folder has, sorted; none where it cannot be read.
func Traces(dir string) []string {
	var all []string
	files, _ := os.ReadDir(dir) // Open reports the error
	for _, f := range files {
		if name, ok := strings.CutPrefix(f.Name(), pattern); ok && strings.HasSuffix(name, ".csv") {
			all = append(all, strings.TrimSuffix(name, ".csv"))
		}
	}
	return all
}

// Files lists the files of a folder.
func Files(dir string) []string {
	all := []string{isolated}
	for _, t := range Traces(dir) {
		all = append(all, pattern+t+".csv")
	}
	return all
}

// Open reads a folder, and of its traces the named one; "" = the only one that there is. The error
// joins all faults of a file, up to 20, each with its line and column.
func Open(dir, trace string) (*Profile, error) {
	if trace == "" {
		switch all := Traces(dir); len(all) {
		case 0:
			trace = NoTrace
		case 1:
			trace = all[0]
		default:
			return nil, fmt.Errorf("%s: %d files %sTRACE.csv, expected the option trace= to name one of %s, or %s",
				dir, len(all), pattern, strings.Join(all, ", "), NoTrace)
		}
	}
	p := &Profile{Dir: dir, perS: map[shape]float64{}, jobs: map[string]*Schedule{}}
	if err := p.readSpeeds(filepath.Join(dir, isolated)); err != nil {
		return nil, err
	}
	if trace == NoTrace {
		return p, nil
	}
	p.Trace = trace
	err := p.readJobs(filepath.Join(dir, pattern+trace+".csv"))
	if errors.Is(err, os.ErrNotExist) {
		err = fmt.Errorf("%w: expected trace= to name one of %s, or %s", err, strings.Join(Traces(dir), ", "), NoTrace)
	}
	return p, err
}

func (p *Profile) readSpeeds(file string) error {
	return tabular.Each(file, nil, func(r *tabular.Row) {
		model, batch := Split(r.Text("job_type"))
		key := shape{strings.Clone(model), batch, int32(r.Count("scale_factor", 1, maxGPUs))}
		v := r.Float("steps_per_s", 0, false)
		if v > maxSteps {
			r.Reject("steps_per_s", fmt.Sprintf("at most %g steps per second", maxSteps))
		}
		if model == "" {
			r.Reject("job_type", "a model and its batch size")
		}
		if old, ok := p.perS[key]; ok && old != v {
			r.Rejectf("%q on %d GPUs does %g and %g steps per second, expected one value", r.Text("job_type"),
				key.gpus, old, v)
		}
		p.perS[key] = v
	}, "job_type", "scale_factor", "steps_per_s")
}

func (p *Profile) readJobs(file string) error {
	return tabular.Each(file, nil, func(r *tabular.Row) {
		id := r.Text("job")
		one := Schedule{Epochs: r.Count("epochs", 1, 1<<40), Samples: r.Count("samples_per_epoch", 1, 1<<40)}
		first, batch := r.Count("first_epoch", 0, 1<<40), int32(r.Count("batch_size", 1, 1<<30))
		if id == "" {
			r.Reject("job", "the name of a job")
		}
		if len(r.Faults()) > 0 {
			return
		}
		s := p.jobs[id]
		switch {
		case first >= one.Epochs:
			r.Reject("first_epoch", fmt.Sprintf("an epoch below %d", one.Epochs))
			return
		case s == nil:
			if first != 0 {
				r.Reject("first_epoch", "0 in the first row of a job")
			}
			s = &one
			p.jobs[strings.Clone(id)] = s
		case s.Epochs != one.Epochs || s.Samples != one.Samples:
			r.Rejectf("job %q has %d epochs of %d samples, expected %d of %d as in an earlier row", id, one.Epochs,
				one.Samples, s.Epochs, s.Samples)
		case first <= s.First[len(s.First)-1]:
			r.Reject("first_epoch", "the rows of a job in order")
		}
		s.First, s.Batch = append(s.First, first), append(s.Batch, batch)
	}, "job", "epochs", "samples_per_epoch", "first_epoch", "batch_size")
}
