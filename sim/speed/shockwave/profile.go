package shockwave

import (
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Profile holds throughputs and the batch sizes of each job's epochs. It does not change once read.
type Profile struct {
	// Dir is the folder that it was read from, Trace the name of the trace whose jobs it has; ""
	// = none.
	Dir, Trace string

	perS map[shape]float64
	jobs map[string]*Schedule
}

// shape is a model, its batch size and GPUs.
type shape struct {
	model string
	batch int32
	gpus  int32
}

// Schedule is the batch size of each epoch of a job.
type Schedule struct {
	// Epochs is how many there are, Samples how many each has.
	Epochs, Samples int64
	// First are the epochs, from 0, at which a batch size begins, ascending, and Batch these sizes.
	First []int64
	Batch []int32
}

// At is the batch size of an epoch; beyond the last the last's.
func (s *Schedule) At(epoch int64) int32 { return s.Batch[s.run(epoch)] }

// run is the index of the batch size of an epoch.
func (s *Schedule) run(epoch int64) int {
	return max(0, sort.Search(len(s.First), func(i int) bool { return s.First[i] > epoch })-1)
}

// begun is the epoch in which a job is when so much work is done, where each has unit of it. At a
// mark it is the epoch that begins there.
func (s *Schedule) begun(done, unit float64) int64 {
	e := int64(done / unit)
	if float64(e+1)*unit <= done { // as Mark multiplies
		e++
	} else if e > 0 && float64(e)*unit > done {
		e--
	}
	return min(e, s.Epochs-1)
}

// Most is the largest batch size.
func (s *Schedule) Most() int32 {
	most := s.Batch[0]
	for _, b := range s.Batch {
		most = max(most, b)
	}
	return most
}

// Steps is how many steps an epoch has at a batch size: samples / batch, rounded up.
func (s *Schedule) Steps(batch int32) float64 {
	return float64((s.Samples + int64(batch) - 1) / int64(batch))
}

// Split cuts a job's type into model and batch size; 0 = it names none.
func Split(jobType string) (model string, batch int32) {
	model, rest, ok := strings.Cut(jobType, " (batch size ")
	if !ok || !strings.HasSuffix(rest, ")") {
		return jobType, 0
	}
	n, err := strconv.ParseInt(rest[:len(rest)-1], 10, 32)
	if err != nil || n < 1 {
		return jobType, 0
	}
	return model, int32(n)
}

// PerS is how many steps a model does in a second with a batch size on a number of GPUs; 0 = it
// does not run, ok is false where it was not measured.
func (p *Profile) PerS(model string, batch int32, gpus int) (perS float64, ok bool) {
	perS, ok = p.perS[shape{model, batch, int32(gpus)}]
	return perS, ok
}

// models lists the models that have a throughput, ascending.
func (p *Profile) models() (names []string) {
	for k := range p.perS {
		names = append(names, k.model)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Job is the schedule of a job by its name in the trace; nil = there is none.
func (p *Profile) Job(id string) *Schedule { return p.jobs[id] }

// EpochS is the length of an epoch in seconds as Shockwave's profiles have it, steps not rounded
// up: samples / batch / (steps per second). 0 where the job does not run so.
func (p *Profile) EpochS(model string, s *Schedule, batch int32, gpus int) float64 {
	v, _ := p.PerS(model, batch, gpus)
	if v == 0 {
		return 0
	}
	return float64(s.Samples) / float64(batch) / v
}

// AloneS is how long a job takes by its profile if it never waits, in seconds: the sum of EpochS
// over its epochs.
func (p *Profile) AloneS(model string, s *Schedule, gpus int) float64 {
	sum := 0.0
	for i, first := range s.First {
		next := s.Epochs
		if i+1 < len(s.First) {
			next = s.First[i+1]
		}
		sum += float64(float64(next-first) * p.EpochS(model, s, s.Batch[i], gpus))
	}
	return sum
}
