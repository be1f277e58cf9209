package sim

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"

	"tarry/internal/natural"
	"tarry/sim/origin"
)

// Workload is a list of jobs sorted by (Submit, ID) and where it came from.
// Build it with NewWorkload; a run does not change it, so many runs may share one.
type Workload struct {
	// Name states what this is, e.g. "philly" or "synth:philly".
	Name string
	// Jobs is sorted by (Submit, ID); a JobID is an index into it.
	Jobs []Job
	// Origins states, per field, where the values came from.
	Origins []origin.Origin
}

// maxFaults bounds how many faults one Validate reports.
const maxFaults = 20

// NewWorkload sorts jobs by (Submit, ID), checks them and gives the workload.
// It takes the slice over. The error joins every fault found, up to 20.
func NewWorkload(name string, jobs []Job, origins ...origin.Origin) (*Workload, error) {
	slices.SortFunc(jobs, func(a, b Job) int {
		if c := cmp.Compare(a.Submit, b.Submit); c != 0 {
			return c
		}
		return natural.Compare(a.ID, b.ID)
	})
	w := &Workload{Name: name, Jobs: jobs, Origins: origins}
	return w, w.Validate()
}

// Validate checks every job and reports all faults, up to 20.
func (w *Workload) Validate() error {
	var errs []error
	add := func(format string, args ...any) bool {
		errs = append(errs, fmt.Errorf(format, args...))
		return len(errs) < maxFaults
	}
	if len(w.Jobs) > 1<<31-2 {
		return fmt.Errorf("workload %q: %d jobs, at most %d can be indexed", w.Name, len(w.Jobs), 1<<31-2)
	}
	seen := make(map[string]struct{}, len(w.Jobs))
	for i := range w.Jobs {
		j := &w.Jobs[i]
		if err := j.Check(); err != nil {
			if !add("job %q: %w", j.ID, err) {
				break
			}
		}
		if _, dup := seen[j.ID]; dup {
			if !add("job %q: id appears twice, expected unique ids", j.ID) {
				break
			}
		}
		seen[j.ID] = struct{}{}
		if i > 0 && w.Jobs[i-1].Submit > j.Submit {
			if !add("job %q: submit %v is before its predecessor's %v, expected jobs sorted by submit", j.ID, j.Submit,
				w.Jobs[i-1].Submit) {
				break
			}
		}
	}
	return errors.Join(errs...)
}

// Check reports what makes the job impossible, nil when nothing does.
func (j *Job) Check() error {
	lo, hi := j.bounds()
	switch {
	case j.ID == "":
		return errors.New("has no id, expected a name")
	case j.Submit < 0:
		return fmt.Errorf("has submit %v, expected >= 0", j.Submit)
	case j.Submit > maxTime:
		return fmt.Errorf("has submit %v, expected at most %v", j.Submit, maxTime)
	case j.GPUs < 1:
		return fmt.Errorf("asks for %d GPUs, expected >= 1", j.GPUs)
	case lo < 1 || lo > j.GPUs || hi < j.GPUs:
		return fmt.Errorf("asks for %d GPUs, outside its own range %d..%d", j.GPUs, lo, hi)
	case j.WorkerGPUs < 0:
		return fmt.Errorf("has workers of %d GPUs, expected >= 0 (0 = 1)", j.WorkerGPUs)
	case j.WorkerGPUs > 1 && j.GPUs%j.WorkerGPUs != 0:
		return fmt.Errorf("asks for %d GPUs in workers of %d, expected a multiple", j.GPUs, j.WorkerGPUs)
	case j.Work <= 0:
		return fmt.Errorf("has work %v, expected > 0", j.Work)
	case j.Work > maxTime:
		return fmt.Errorf("has work %v, expected at most %v", j.Work, maxTime)
	case j.ShareMilli < 0 || j.ShareMilli > 1000:
		return fmt.Errorf("asks for %d thousandths of a GPU, expected 0..1000", j.ShareMilli)
	case j.ShareMilli%1000 != 0 && j.GPUs != 1:
		return fmt.Errorf("asks for %d thousandths of %d GPUs, expected a share only on 1 GPU", j.ShareMilli, j.GPUs)
	case j.CPUMilli < 0 || j.MemMiB < 0:
		return fmt.Errorf("asks for %d thousandths of a CPU and %d MiB, expected >= 0", j.CPUMilli, j.MemMiB)
	case j.GPUMiB < 0:
		return fmt.Errorf("needs %d MiB of each GPU, expected >= 0 (0 = not known)", j.GPUMiB)
	case !(j.GPUUtilFrac >= 0 && j.GPUUtilFrac <= 1):
		return fmt.Errorf("keeps a GPU busy for %v of the time, expected 0 (not known) to 1", j.GPUUtilFrac)
	case j.Request < 0 || j.Request > maxTime:
		return fmt.Errorf("has request %v, expected 0 (unknown) to %v", j.Request, maxTime)
	case j.Deadline < 0:
		return fmt.Errorf("has deadline %v, expected >= 0", j.Deadline)
	case !(j.IterS >= 0) || j.IterS > maxSeconds:
		return fmt.Errorf("has %v s per iteration, expected a number >= 0", j.IterS)
	case j.BatchSize < 0:
		return fmt.Errorf("has a batch of %d samples, expected >= 0 (0 = not known)", j.BatchSize)
	case j.Record != nil && (j.Record.Wait < 0 || Time(j.Record.Wait) > maxTime):
		return fmt.Errorf("has waited for %v by its record, expected 0 to %v", Time(j.Record.Wait), maxTime)
	case j.Iterations < 0:
		return fmt.Errorf("has %d iterations, expected >= 0", j.Iterations)
	}
	return nil
}

// maxTime bounds submits and work (about 73 000 years), so that sums stay in range.
const maxTime = Never / 4

// Span gives the first and the last submit; both 0 when there are no jobs.
func (w *Workload) Span() (first, last Time) {
	if len(w.Jobs) == 0 {
		return 0, 0
	}
	return w.Jobs[0].Submit, w.Jobs[len(w.Jobs)-1].Submit
}

// Hash is the SHA-256 over every field of every job but Record, in hex: two workloads with the same hash are
// the same jobs. Groups and requests, then sizes of workers, then batches, then GPU memory and
// utilisation count only where a job has one, so that workloads without them keep the hash that
// they had before jobs had these fields. Records are left out: they are no property of the jobs.
func (w *Workload) Hash() string {
	h := sha256.New()
	var buf []byte
	str := func(s string) {
		buf = binary.AppendUvarint(buf, uint64(len(s)))
		buf = append(buf, s...)
	}
	for i := range w.Jobs {
		j := &w.Jobs[i]
		buf = buf[:0]
		for _, s := range [...]string{j.ID, j.Model, j.User, j.VC, j.GPUType, j.State} {
			str(s)
		}
		for _, n := range [...]int64{int64(j.Submit), int64(j.GPUs), int64(j.MinGPUs), int64(j.MaxGPUs), int64(j.Work),
			j.Iterations, int64(j.Deadline), int64(j.ShareMilli), int64(j.CPUMilli), int64(j.MemMiB),
			int64(j.Priority), int64(j.Drawn), int64(math.Float64bits(j.IterS))} {
			buf = binary.AppendVarint(buf, n)
		}
		h.Write(buf)
	}
	workers := slices.ContainsFunc(w.Jobs, func(j Job) bool { return j.WorkerGPUs != 0 })
	if workers || slices.ContainsFunc(w.Jobs, func(j Job) bool { return j.Group != "" || j.Request != 0 }) {
		for i := range w.Jobs {
			buf = buf[:0]
			str(w.Jobs[i].Group)
			h.Write(binary.AppendVarint(buf, int64(w.Jobs[i].Request)))
		}
	}
	for i := 0; workers && i < len(w.Jobs); i++ {
		h.Write(binary.AppendVarint(buf[:0], int64(w.Jobs[i].WorkerGPUs)))
	}
	if slices.ContainsFunc(w.Jobs, func(j Job) bool { return j.BatchSize != 0 }) {
		buf = append(buf[:0], "batch"...)
		for i := range w.Jobs {
			buf = binary.AppendVarint(buf, int64(w.Jobs[i].BatchSize))
		}
		h.Write(buf)
	}
	if slices.ContainsFunc(w.Jobs, func(j Job) bool { return j.GPUMiB != 0 || j.GPUUtilFrac != 0 }) {
		buf = append(buf[:0], "gpu"...)
		for i := range w.Jobs {
			buf = binary.AppendVarint(buf, int64(w.Jobs[i].GPUMiB))
			buf = binary.AppendVarint(buf, int64(math.Float64bits(w.Jobs[i].GPUUtilFrac)))
		}
		h.Write(buf)
	}
	return hex.EncodeToString(h.Sum(nil))
}
