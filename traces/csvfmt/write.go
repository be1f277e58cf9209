package csvfmt

import (
	"bufio"
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"tarry/sim"
	"tarry/sim/tabular"
)

// Write gives the jobs as CSV with every column of Columns, but worker_gpus, batch_size,
// gpu_mem_mib, gpu_util_frac, log_start_s and log_machines only where a job has one: other
// files are as they were before there were such columns. Zero and "" are written as empty fields,
// but for submit_s and log_start_s.
func Write(out io.Writer, w *sim.Workload) error {
	buf := bufio.NewWriterSize(out, 1<<16)
	enc := csv.NewWriter(buf)
	columns := Columns()
	var left []int // out, the last first
	for _, seldom := range []struct {
		column string
		has    func(sim.Job) bool
	}{
		{"log_machines", func(j sim.Job) bool { return j.Record != nil && j.Record.Machines != "" }},
		{"log_start_s", func(j sim.Job) bool { return j.Record != nil }},
		{"gpu_util_frac", func(j sim.Job) bool { return j.GPUUtilFrac != 0 }},
		{"gpu_mem_mib", func(j sim.Job) bool { return j.GPUMiB != 0 }},
		{"batch_size", func(j sim.Job) bool { return j.BatchSize != 0 }},
		{"worker_gpus", func(j sim.Job) bool { return j.WorkerGPUs != 0 }},
	} {
		if !slices.ContainsFunc(w.Jobs, seldom.has) {
			left = append(left, slices.Index(columns, seldom.column))
		}
	}
	fields := make([]string, 0, len(columns))
	if err := enc.Write(without(columns, left)); err != nil {
		return err
	}
	for i := range w.Jobs {
		fields = without(appendJob(fields[:0], &w.Jobs[i]), left)
		if err := enc.Write(fields); err != nil {
			return err
		}
	}
	enc.Flush()
	if err := enc.Error(); err != nil {
		return err
	}
	return buf.Flush()
}

// without takes fields out, the last first.
func without(fields []string, left []int) []string {
	for _, i := range left {
		fields = slices.Delete(fields, i, i+1)
	}
	return fields
}

func appendJob(fields []string, j *sim.Job) []string {
	start, machines := "", ""
	if r := j.Record; r != nil {
		start, machines = tabular.FormatMicros(int64(j.Submit)+r.Wait), r.Machines
	}
	return append(fields, j.ID, tabular.FormatMicros(int64(j.Submit)), number(int64(j.GPUs)), number(int64(j.MinGPUs)),
		number(int64(j.MaxGPUs)), number(int64(j.WorkerGPUs)),
		tabular.FormatMicros(int64(j.Work)), number(j.Iterations), real(j.IterS), number(int64(j.BatchSize)), j.Model,
		j.User, j.Group, j.VC, j.GPUType, j.State, seconds(j.Request), seconds(j.Deadline),
		number(int64(j.ShareMilli)), number(int64(j.CPUMilli)), number(int64(j.MemMiB)), number(int64(j.GPUMiB)),
		real(j.GPUUtilFrac), number(int64(j.Priority)), start, machines, strings.TrimSpace(j.Drawn.String()))
}

func number(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func seconds(t sim.Time) string {
	if t == 0 {
		return ""
	}
	return tabular.FormatMicros(int64(t))
}

// real writes a number in the fewest digits that read back the same.
func real(x float64) string {
	if x == 0 {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
