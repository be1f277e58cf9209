package jsonlfmt

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strconv"

	"tarry/sim"
	"tarry/sim/tabular"
)

// Write gives each job as a JSON object on a line of its own, with the keys in the order of the
// columns. What is zero or "" is left out, but for submit_s.
func Write(out io.Writer, w *sim.Workload) error {
	buf := bufio.NewWriterSize(out, 1<<16)
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	var line []byte
	for i := range w.Jobs {
		j := &w.Jobs[i]
		line = append(line[:0], '{')
		put := func(key, value string) {
			if len(line) > 1 {
				line = append(line, ',')
			}
			line = append(line, '"')
			line = append(append(append(line, key...), `":`...), value...)
		}
		var failed error
		name := func(key, s string) {
			if s == "" {
				return
			}
			text.Reset()
			if err := enc.Encode(s); err != nil {
				failed = err
				return
			}
			put(key, string(bytes.TrimSpace(text.Bytes())))
		}
		name("id", j.ID)
		put("submit_s", tabular.FormatMicros(int64(j.Submit)))
		numbers(j, put)
		if r := j.Record; r != nil {
			put("log_start_s", tabular.FormatMicros(int64(j.Submit)+r.Wait))
			name("log_machines", r.Machines)
		}
		for _, f := range [...]struct{ key, s string }{{"model", j.Model}, {"user", j.User}, {"group", j.Group},
			{"vc", j.VC}, {"gpu_type", j.GPUType}, {"state", j.State}, {"drawn", j.Drawn.String()}} {
			name(f.key, f.s)
		}
		if failed != nil {
			return failed
		}
		if _, err := buf.Write(append(line, "}\n"...)); err != nil {
			return err
		}
	}
	return buf.Flush()
}

// numbers gives the numbers of a job that are not zero.
func numbers(j *sim.Job, put func(key, value string)) {
	for _, f := range [...]struct {
		key string
		n   int64
	}{{"gpus", int64(j.GPUs)}, {"min_gpus", int64(j.MinGPUs)}, {"max_gpus", int64(j.MaxGPUs)},
		{"worker_gpus", int64(j.WorkerGPUs)}, {"iterations", j.Iterations}, {"batch_size", int64(j.BatchSize)},
		{"share_milli", int64(j.ShareMilli)}, {"cpu_milli", int64(j.CPUMilli)}, {"mem_mib", int64(j.MemMiB)},
		{"gpu_mem_mib", int64(j.GPUMiB)}, {"priority", int64(j.Priority)}} {
		if f.n != 0 {
			put(f.key, strconv.FormatInt(f.n, 10))
		}
	}
	for _, f := range [...]struct {
		key string
		t   sim.Time
	}{{"work_s", j.Work}, {"request_s", j.Request}, {"deadline_s", j.Deadline}} {
		if f.t != 0 {
			put(f.key, tabular.FormatMicros(int64(f.t)))
		}
	}
	for _, f := range [...]struct {
		key string
		x   float64
	}{{"iter_s", j.IterS}, {"gpu_util_frac", j.GPUUtilFrac}} {
		if f.x != 0 {
			put(f.key, strconv.FormatFloat(f.x, 'g', -1, 64))
		}
	}
}
