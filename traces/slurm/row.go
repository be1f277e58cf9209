package slurm

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"tarry/sim/tabular"
	"tarry/traces/intake"
)

// record is what one row states of a job: its hold of GPUs from a start on.
type record struct {
	// next is the next row of the same job, -1 = none; component is of a heterogeneous job, -1 = it
	// is none.
	next, line, component int32
	// milli is GPUs in thousandths, mib the memory of instances.
	milli, mib int32
	// These are numbers of texts.
	user, group, vc, typ, state, cluster, nodes int32
	// Times are microseconds. A run begins at start + lead: lead > 0 where the job
	// was resized, and start is of its first size.
	submit, start, end, run, request, lead int64
	cpuMilli, memMiB                       int64
	// started states that it had GPUs, asks that it asked for some, parts that these were parts of
	// unknown size, open that it was running when the log was written, waiting that it was pending,
	// late that it was eligible long after its submit.
	started, asks, parts, open, waiting, mixed, late bool
}

const never = math.MaxInt64

// maxRecords bounds the rows that are held until their jobs are complete.
const maxRecords = 2 * intake.DefaultMaxJobs

// The reasons for which jobs are left out.
const (
	noGPU    = "the job asks for no GPU"
	neverRan = "the job never ran"
	pending  = "the job was pending when the log was written"
	ranZero  = "the job ran for 0 s"
	noEnd    = "the job was running when the log was written, which states no Elapsed"
	shards   = "the job holds parts of GPUs (gres/shard, gres/mps), of which the log does not state the size"
)

// line reads one row.
func (p *log) line(l *lines, text string, line int) error {
	if p.head.at[jobID] == 0 && p.head.delimiter != "" {
		if first, _, found := strings.Cut(text, p.head.delimiter); found && isStep(first) {
			p.notes.steps++
			return nil
		}
	}
	fields, err := p.row(l, text, line)
	if err != nil {
		return err
	}
	row := tabular.NewRow(p.name, line, 0, p.columns, p.values[:])
	if len(fields) != len(p.head.names) {
		row.Rejectf("%d fields, expected %d", len(fields), len(p.head.names))
		return p.c.Reject(row.Faults()...)
	}
	for c, i := range p.head.at {
		if p.values[c] = ""; i >= 0 {
			p.values[c] = strings.TrimSpace(fields[i])
		}
	}
	id := cmp.Or(p.values[jobID], p.values[jobIDRaw])
	if isStep(id) {
		p.notes.steps++
		return nil
	}
	return p.job(row, id)
}

// isStep reports whether an id is of a step: 12.batch, 12_3.extern, 12+0.1.
func isStep(id string) bool { return strings.IndexByte(id, '.') > 0 }

// job keeps or skips the row of a job.
func (p *log) job(row *tabular.Row, id string) error {
	id, component := p.identity(row, id)
	r := record{next: -1, line: int32(row.Line), component: component}
	p.times(row, &r)
	d := p.demand(row, &r)
	switch {
	case len(row.Faults()) > 0:
		return p.c.Reject(row.Faults()...)
	case strings.Contains(id, "["):
		p.notes.pendingArray(id)
		return p.c.Skip(row, r.reason())
	case !r.asks && component < 0:
		return p.c.Skip(row, noGPU)
	}
	p.notes.row(p, &r, d)
	r.vc = p.text(p.values[partition])
	r.user = p.text(cmp.Or(p.values[user], p.values[uid]))
	r.group = p.text(cmp.Or(p.values[account], p.values[group]))
	r.cluster = p.text(p.values[cluster])
	if list := p.values[nodeList]; r.started && list != "None assigned" {
		r.nodes = p.text(list)
	}
	p.notes.partitions[r.vc] = true
	p.notes.typed = p.notes.typed || len(d.typ) > 0 || d.mixed
	if d.typ == "" && !d.mixed && p.types {
		d.typ = p.values[partition]
	}
	r.typ = p.text(d.typ)
	key := id
	if r.cluster != 0 {
		key = p.values[cluster] + "/" + id
		p.notes.clusters[r.cluster] = true
	}
	at := int32(len(p.records))
	if at >= maxRecords {
		return fmt.Errorf("%s:%d: more than %d rows of jobs with GPUs, the limit that keeps memory bounded: read a part "+
			"of the log", p.name, r.line, maxRecords)
	}
	if first, ok := p.first[key]; ok {
		r.next, p.records[first].next = p.records[first].next, at
	} else {
		key = strings.Clone(key)
		p.first[key], p.order = at, append(p.order, key)
	}
	p.records = append(p.records, r)
	return nil
}

// identity gives the id of a row's job and which component it is of a heterogeneous one; -1 = none.
func (p *log) identity(row *tabular.Row, id string) (string, int32) {
	if id == "" || strings.HasSuffix(id, "+") {
		row.Reject("JobID", "a whole id: write the log with -P")
		return id, -1
	}
	job, offset, found := strings.Cut(id, "+")
	if !found {
		return id, -1
	}
	n, ok := count(offset)
	if !ok || n > 1000 {
		row.Reject("JobID", "an id such as 12, 12_3 or 12+0")
	}
	return job, int32(n)
}

// times reads the state and the times of a row.
func (p *log) times(row *tabular.Row, r *record) {
	st, _ := stateOf(p.values[state])
	r.state = p.text(st)
	r.submit = p.time(row, submit)
	_, wall := tabular.ParseClock(p.values[submit])
	p.local = p.local || wall && !tabular.Zoned(p.values[submit])
	if r.submit == never && len(row.Faults()) == 0 {
		row.Reject("Submit", wantTime)
	}
	r.start, r.end = p.time(row, start), p.time(row, end)
	r.run = p.length(row, r)
	r.started = r.start != never || p.head.at[start] < 0 && r.run > 0
	if !r.started {
		r.run = 0
	}
	r.open = r.started && st != "" && strings.Contains(" RUNNING SUSPENDED STOPPED COMPLETING ", " "+st+" ") &&
		r.end == never
	r.waiting = !r.started && st == "PENDING"
	r.request = p.limit(row)
}

const wantTime = "a time YYYY-MM-DDThh:mm:ss, or seconds since 1970"

// time reads a time in microseconds since 1970; never = it is unknown.
func (p *log) time(row *tabular.Row, c column) int64 {
	s := p.values[c]
	if !known(s) {
		return never
	}
	v, ok := clock(s)
	if !ok {
		row.Reject(p.columns[c], wantTime)
	}
	return v
}

// clock reads a wall-clock time or seconds since 1970.
func clock(s string) (int64, bool) {
	if v, ok := tabular.ParseClock(s); ok {
		return v, true
	}
	v, ok := tabular.ParseMicros(s)
	return v, ok && v > 0 && v <= 1e10*1e6 && !strings.HasPrefix(s, "+")
}

// known reports whether a text is a value.
func known(s string) bool {
	return s != "" && s != "Unknown" && s != "0" && !tabular.IsUnknown(s)
}

// length gives the run: Elapsed, which leaves out the time for which a job was suspended, else from
// start to end; -1 = it is unknown.
func (p *log) length(row *tabular.Row, r *record) int64 {
	between := int64(-1)
	if r.start != never && r.end != never {
		between = r.end - r.start
	}
	switch {
	case p.values[elapsedRaw] != "":
		v := row.Micros(p.columns[elapsedRaw])
		p.notes.hours(r, between-v)
		return v
	case p.values[elapsed] != "" && p.values[elapsed] != "INVALID":
		v, ok := parseLength(p.values[elapsed])
		if !ok {
			row.Reject(p.columns[elapsed], "a length D-HH:MM:SS")
		}
		p.notes.hours(r, between-v)
		return v
	case r.start != never && r.end != never && between < 0:
		row.Reject(p.columns[end], fmt.Sprintf("a time not before Start %s", p.values[start]))
	}
	return between
}

// parseLength reads D-HH:MM:SS, HH:MM:SS or MM:SS.
func parseLength(s string) (int64, bool) {
	if strings.Count(s, ":") == 1 && !strings.Contains(s, "-") {
		s = "00:" + s
	}
	return tabular.ParseLength(s)
}

// limit reads the time limit; 0 = none.
func (p *log) limit(row *tabular.Row) int64 {
	for _, c := range []column{timelimitRaw, timelimit} {
		v, ok := limitOf(p.values[c])
		if !ok {
			row.Reject(p.columns[c], "a length D-HH:MM:SS, minutes, UNLIMITED or Partition_Limit")
		}
		if v > 0 {
			return v
		}
	}
	return 0
}

// limitOf reads a time limit in minutes or as a length; 0 = none.
func limitOf(s string) (int64, bool) {
	switch strings.ToUpper(s) {
	case "UNLIMITED", "PARTITION_LIMIT", "INVALID", "NOT_SET":
		return 0, true
	}
	if !known(s) {
		return 0, true
	}
	if minutes, ok := count(s); ok {
		return minutes * 60e6, true
	}
	return parseLength(s)
}

// demand reads the GPUs of a row.
func (p *log) demand(row *tabular.Row, r *record) demand {
	c := p.head.gpuColumn()
	d := p.resources(row, c)
	if r.run == 0 && c <= allocGRES && p.values[c] == "" {
		r.started = false // some versions give a job that was cancelled before it ran a Start
	}
	if !r.started || r.run == 0 {
		// What never ran was allocated nothing, and asked for something all the same.
		r.asks = d.milli > 0 || d.parts
		for _, c := range []column{reqTRES, reqGRES} {
			if p.head.at[c] >= 0 && p.values[c] != "" {
				asked := p.resources(row, c)
				r.asks, r.parts = asked.milli > 0 || asked.parts, asked.milli == 0 && asked.parts
			}
		}
		if p.values[reqTRES] == "" && p.values[reqGRES] == "" && p.values[c] == "" && !r.started {
			r.asks = true // not known
		}
	} else if r.asks = d.milli > 0 || d.parts; !r.asks && c < reqTRES && p.values[reqTRES] != "" &&
		p.resources(row, reqTRES).milli > 0 {
		p.notes.unallocated++
		p.notes.gpus = true
	}
	r.parts = r.parts || d.milli == 0 && d.parts
	if d.milli > math.MaxInt32 || d.mib > math.MaxInt32 {
		row.Reject(p.columns[c], "at most 1000000 GPUs")
		return d
	}
	p.notes.gpus = p.notes.gpus || d.milli > 0 || r.asks
	r.milli, r.mib, r.mixed = int32(d.milli), int32(d.mib), d.mixed
	r.cpuMilli, r.memMiB = max(d.cpuMilli, 0), max(d.memMiB, 0)
	if d.cpuMilli < 0 && known(p.values[allocCPUS]) {
		r.cpuMilli = row.Count(p.columns[allocCPUS], 0, 1e9) * 1000
	}
	return d
}

// resources reads a field of resources.
func (p *log) resources(row *tabular.Row, c column) (d demand) {
	s := p.values[c]
	switch {
	case s == "":
		return demand{cpuMilli: -1, memMiB: -1}
	case c == allocTRES || c == reqTRES:
		d = tres(s)
	case c == allocGRES:
		d = gresList(s, 1)
	default:
		n := int64(1)
		if known(p.values[nodeCount]) {
			n = row.Count(p.columns[nodeCount], 0, 1e6)
		}
		d = gresList(s, max(n, 1))
	}
	if d.wrong || strings.HasSuffix(s, "+") {
		row.Reject(p.columns[c], "whole resources such as cpu=8,gres/gpu=2,mem=64G: write the log with -P")
	}
	return d
}

// stateOf gives a state without what stands behind it: CANCELLED by 5012, and the + of one that is
// cut to the width of a column. False = it is no state.
func stateOf(s string) (string, bool) {
	word, _, _ := strings.Cut(s, " ")
	name, cut := strings.CutSuffix(strings.ToUpper(word), "+")
	for _, st := range states() {
		if st == name || cut && strings.HasPrefix(st, name) {
			return st, true
		}
	}
	return word, false
}

func states() []string {
	return []string{"COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "OUT_OF_MEMORY", "NODE_FAIL", "PREEMPTED",
		"REQUEUED", "RUNNING", "PENDING", "SUSPENDED", "BOOT_FAIL", "DEADLINE", "RESIZING", "COMPLETING",
		"CONFIGURING", "REVOKED", "STOPPED", "SIGNALING", "STAGE_OUT", "SPECIAL_EXIT", "LAUNCH_FAILED",
		"RECONFIG_FAIL", "REQUEUE_FED", "REQUEUE_HOLD", "RESV_DEL_HOLD", "POWER_UP_NODE"}
}
