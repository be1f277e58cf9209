package figure

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"

	"tarry/output/results"
	"tarry/sim/cluster"
)

// JobLabel is what a timeline shows about a job beside its intervals.
type JobLabel struct {
	Model, User string
}

// Timeline writes intervals as Chrome trace JSON (the "Trace Event Format"), which Perfetto and
// chrome://tracing open: a process per machine, a thread per GPU, a slice per allocation and GPU.
// Where a job was resized, an instant on its first new GPU notes it. Slices that overlap, on shared
// GPUs, go to further rows of that GPU. The rows must ascend by start and are not kept: memory
// grows with the cluster only. Errors of rows end the writing. The JSON is complete only if the
// error is nil.
func Timeline(w io.Writer, t *cluster.Topology, jobs map[string]JobLabel,
	rows iter.Seq2[results.Interval, error]) error {
	out := &timeline{w: bufio.NewWriterSize(w, 1<<16), topo: t, jobs: jobs, lanes: make([][]int64, t.GPUs()),
		last: math.MinInt64}
	out.text(`{"displayTimeUnit":"ms","traceEvents":[`)
	out.header()
	n := 0
	for row, err := range rows {
		if err != nil {
			return err
		}
		if err := out.interval(row); err != nil {
			return fmt.Errorf("figure: timeline: row %d, job %q: %w", n, row.Job, err)
		}
		n++
	}
	out.text("\n]}\n")
	if err := out.w.Flush(); err != nil {
		return fmt.Errorf("figure: timeline: %w", err)
	}
	return nil
}

type timeline struct {
	w     *bufio.Writer
	topo  *cluster.Topology
	jobs  map[string]JobLabel
	lanes [][]int64        // GPU -> end of the last slice in each of its rows, microseconds
	last  int64            // start of the last row
	sized map[string]int64 // job whose last row ended in a resize -> its GPUs then
	comma bool
}

// traceEvent is one entry; fields in the order in which they are written.
type traceEvent struct {
	Name  string `json:"name"`
	Phase string `json:"ph"`
	Start int64  `json:"ts"`
	Dur   int64  `json:"dur"`
	PID   int    `json:"pid"`
	TID   int    `json:"tid"`
	Args  any    `json:"args"`
}

// instant is an entry without length, on one thread.
type instant struct {
	Name  string `json:"name"`
	Phase string `json:"ph"`
	Start int64  `json:"ts"`
	PID   int    `json:"pid"`
	TID   int    `json:"tid"`
	Scope string `json:"s"`
}

type sliceArgs struct {
	Job    string   `json:"job"`
	Model  string   `json:"model"`
	User   string   `json:"user"`
	Tier   string   `json:"tier"`
	GPUs   int64    `json:"gpus"`
	Before int64    `json:"gpus_before,omitempty"` // of a resized job
	Rate   *float64 `json:"rate"`                  // null = unknown
	Share  int64    `json:"share_milli"`
	Reason string   `json:"end"`
}

// maxLanes bounds the rows per GPU, and so leaves room between thread numbers.
const maxLanes = 1 << 8

// Perfetto gives process 0 and thread 0 a meaning of their own: both count from 1.
func pid(machine int) int             { return machine + 1 }
func tid(g cluster.GPU, lane int) int { return int(g)*maxLanes + lane + 1 }

// header names all machines and GPUs, so that idle ones are seen too.
func (o *timeline) header() {
	machine := -1
	for g := range cluster.GPU(o.topo.GPUs()) {
		if m := o.topo.Machine(g); m != machine {
			machine = m
			o.meta("process_name", pid(m), 0, "name", fmt.Sprintf("rack %d machine %d", o.topo.Rack(m), m))
			o.meta("process_sort_index", pid(m), 0, "sort_index", m)
		}
		o.thread(g, 0)
	}
}

func (o *timeline) thread(g cluster.GPU, lane int) {
	m := o.topo.Machine(g)
	name := fmt.Sprintf("GPU %d", g)
	if lane > 0 {
		name = fmt.Sprintf("GPU %d, shared %d", g, lane+1)
	}
	o.meta("thread_name", pid(m), tid(g, lane), "name", name)
	o.meta("thread_sort_index", pid(m), tid(g, lane), "sort_index", tid(g, lane))
	o.lanes[g] = append(o.lanes[g], math.MinInt64)
}

func (o *timeline) meta(event string, pid, tid int, key string, value any) {
	o.event(struct {
		Name  string         `json:"name"`
		Phase string         `json:"ph"`
		PID   int            `json:"pid"`
		TID   int            `json:"tid"`
		Args  map[string]any `json:"args"`
	}{event, "M", pid, tid, map[string]any{key: value}})
}

// interval writes one slice per GPU.
func (o *timeline) interval(row results.Interval) error {
	if !(row.Start >= -maxTraceSeconds && row.End <= maxTraceSeconds && row.Start <= row.End) {
		return fmt.Errorf("interval from %v s to %v s", row.Start, row.End)
	}
	start, end := micros(row.Start), micros(row.End)
	if start < o.last {
		return fmt.Errorf("start %v s comes after a row that starts later: rows must ascend by start", row.Start)
	}
	o.last = start
	gpus, err := results.ParseGPUs[cluster.GPU](row.GPUList)
	if err != nil {
		return err
	}
	label := o.jobs[row.Job]
	args := sliceArgs{Job: row.Job, Model: label.Model, User: label.User, Tier: row.Tier, GPUs: row.GPUs,
		Share: row.ShareMilli, Reason: row.Reason}
	if !math.IsNaN(row.Rate) && !math.IsInf(row.Rate, 0) {
		args.Rate = &row.Rate
	}
	args.Before = o.sized[row.Job]
	for i, g := range gpus {
		if int(g) >= len(o.lanes) {
			return fmt.Errorf("GPU %d, the cluster has %d", g, len(o.lanes))
		}
		lane, err := o.lane(g, start)
		if err != nil {
			return err
		}
		o.lanes[g][lane] = end
		if args.Before > 0 && i == 0 {
			o.event(instant{Name: fmt.Sprintf("job %s: %d to %d GPUs", row.Job, args.Before, row.GPUs), Phase: "i",
				Start: start, PID: pid(o.topo.Machine(g)), TID: tid(g, lane), Scope: "t"})
		}
		o.event(traceEvent{Name: "job " + row.Job, Phase: "X", Start: start, Dur: end - start,
			PID: pid(o.topo.Machine(g)), TID: tid(g, lane), Args: args})
	}
	if delete(o.sized, row.Job); row.Reason == "resize" {
		if o.sized == nil {
			o.sized = map[string]int64{}
		}
		o.sized[row.Job] = row.GPUs
	}
	return nil
}

// maxTraceSeconds keeps microseconds exact in the float64 numbers of JSON readers.
const maxTraceSeconds = 9e9

func micros(seconds float64) int64 { return int64(math.Round(float64(seconds * 1e6))) }

// lane finds the first row of the GPU that is free at start, or opens one.
func (o *timeline) lane(g cluster.GPU, start int64) (int, error) {
	for i, end := range o.lanes[g] {
		if end <= start {
			return i, nil
		}
	}
	n := len(o.lanes[g])
	if n == maxLanes {
		return 0, fmt.Errorf("GPU %d is shared by more than %d jobs at once", g, maxLanes)
	}
	o.thread(g, n)
	return n, nil
}

// event writes one entry; the buffer keeps the first failure for Flush.
func (o *timeline) event(v any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings and finite numbers only
	}
	if o.comma {
		o.w.WriteByte(',')
	}
	o.comma = true
	o.w.WriteByte('\n')
	o.w.Write(data)
}

func (o *timeline) text(s string) { o.w.WriteString(s) }
