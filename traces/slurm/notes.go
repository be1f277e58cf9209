package slurm

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"tarry/traces/nodes"
)

// notes counts what the account of a reading remarks.
type notes struct {
	steps, repeated, reused  int
	clusters, partitions     map[int32]bool
	typed, gpus              bool // a row states a type of GPU, a row states GPUs
	back                     back
	arrays, elements         int // rows of pending elements, and how many they stand for
	unallocated              int // rows without GPUs that asked for some
	kept, open, again, waits int
	heterogeneous, mixed     int
	shares, instances        int // jobs in an instance, and in several
	hour                     int // runs across a change of clocks
	late                     int // jobs that were eligible long after their submit
	qos                      map[string]bool
	nodes                    map[string]int // node lists, and the nodes of each
	widest                   int            // GPUs of one job on one node
	uses                     []use
}

// use is a change of the GPUs in use, in thousandths.
type use struct {
	at    int64
	milli int32
}

// lateMicros is from when on a job counts as eligible late.
const lateMicros = 60e6

// hours counts runs whose end minus start differs from their length by an hour: the clocks were
// changed while they ran.
func (n *notes) hours(r *record, difference int64) {
	if r.start != never && r.end != never && (difference == 3600e6 || difference == -3600e6) {
		n.hour++
	}
}

// pendingArray counts the elements of an id such as 1002_[5-9%2].
func (n *notes) pendingArray(id string) {
	_, list, _ := strings.Cut(id, "[")
	list, _, _ = strings.Cut(strings.TrimRight(list, "]"), "%")
	n.arrays++
	for s := range strings.SplitSeq(list, ",") {
		s, by, _ := strings.Cut(s, ":")
		lo, hi, found := strings.Cut(s, "-")
		a, ok := count(lo)
		b, ok2 := count(hi)
		step, _ := count(by)
		switch {
		case found && ok && ok2 && b >= a:
			n.elements += int((b-a)/max(step, 1) + 1)
		case ok:
			n.elements++
		}
	}
}

// row counts what the row of a job with GPUs states beside the job.
func (n *notes) row(p *log, r *record, d demand) {
	if q := p.values[qos]; q != "" && len(n.qos) < 100 && !n.qos[q] {
		n.qos[strings.Clone(q)] = true
	}
	n.back.see(p.values[jobID], p.values[submit], r)
	at, ok := clock(p.values[eligible])
	r.late = ok && at-r.submit > lateMicros
	if list := p.values[nodeList]; r.started && list != "" && list != "None assigned" && d.milli > 0 {
		size, ok := n.nodes[list]
		if !ok && len(n.nodes) < maxLists {
			names, _ := nodes.Hosts(list) // a list of another form counts as none
			size = len(names)
			n.nodes[strings.Clone(list)] = size
		}
		if size > 0 {
			n.widest = max(n.widest, int((d.milli/1000+int64(size)-1)/int64(size)))
		}
	}
}

// maxLists bounds the lists of nodes that are looked at.
const maxLists = 1_000_000

// job counts a job that is kept.
func (n *notes) job(g *gang, late, share, mixed bool) {
	n.kept++
	runs, open, several := 0, false, false
	for _, c := range g.components {
		runs = max(runs, len(c.runs))
		for i := range c.runs {
			r := &c.runs[i]
			open = open || r.open
			several = several || r.mib > 0
			if r.start != never && r.milli > 0 {
				from := r.start + r.lead
				n.uses = append(n.uses, use{from, r.milli}, use{from + r.run, -r.milli})
			}
		}
	}
	count := func(to *int, is bool) {
		if is {
			*to++
		}
	}
	count(&n.open, open)
	count(&n.again, runs > 1)
	count(&n.waits, g.waits != nil && g.waits.waiting)
	count(&n.heterogeneous, len(g.components) > 1)
	count(&n.mixed, mixed)
	count(&n.late, late)
	count(&n.shares, share)
	count(&n.instances, several && !share)
}

// write adds the remarks to the account.
func (n *notes) write(p *log) {
	note := func(count int, format string, args ...any) {
		if count > 0 {
			p.c.Note(format, append([]any{count}, args...)...)
		}
	}
	if c := p.head.gpuColumn(); c != allocTRES {
		p.c.Note("the log has no AllocTRES: GPUs are of %s", p.columns[c])
	}
	note(n.steps, "%d rows of steps (.batch, .extern, .0) are parts of their jobs and not read")
	note(n.arrays, "%d rows of array elements that never ran stand for %d jobs", n.elements)
	note(n.again, "%d jobs have several runs (requeued, preempted or resized): their work is the sum of all")
	note(n.repeated, "%d rows state a run that another row states too: one of them is read")
	note(n.reused, "%d jobs have the id of an earlier job: ids are ID#2 and so on")
	note(n.heterogeneous, "%d heterogeneous jobs have the GPUs of all their components, as one gang")
	note(n.mixed, "%d jobs have GPUs of several types: taken as any type")
	note(n.shares, "%d jobs ran in an instance of a GPU (MIG): it is a share of one GPU, by its compute slices")
	note(n.instances, "%d jobs hold several instances or GPUs, rounded up to whole GPUs")
	note(n.unallocated, "%d rows have no GPU in AllocTRES and ask for some in ReqTRES: taken as without")
	note(n.open, "%d of %d jobs were running when the log was written: their runs are cut there, which is a lower bound",
		n.kept)
	note(n.waits, "%d jobs were waiting for a further run when the log was written: their work is a lower bound")
	note(n.hour, "for %d runs End - Start is an hour more or less than Elapsed, as where clocks are changed: the run "+
		"is Elapsed; times without a zone are taken as UTC")
	if n.back.line > 0 {
		p.c.Note("%s:%d: Submit is %d minutes before the submit of the job above it, as where clocks are put back: the "+
			"order in that hour is not known; times without a zone are taken as UTC", p.name, n.back.line, n.back.minutes)
	}
	note(n.late, "%d jobs were eligible more than a minute after their submit (held, --begin, dependencies): the "+
		"arrival is Submit")
	if !n.typed && !p.types && len(n.partitions) > 1 {
		note(len(n.partitions), "no row states a type of GPU; slurm-partitions takes the %d partitions as types")
	}
	if len(n.qos) > 1 {
		p.c.Note("QOS is not read; it has the values %.200s", strings.Join(slices.Sorted(maps.Keys(n.qos)), ", "))
	}
	if most := n.most(); most > 0 {
		p.c.Note("at most %d GPUs of these jobs were in use at once%s", most, n.machines())
	}
}

// most is how many GPUs were in use at once.
func (n *notes) most() int64 {
	slices.SortFunc(n.uses, func(a, b use) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.milli, b.milli)) })
	var now, most int64
	for _, u := range n.uses {
		now += int64(u.milli)
		most = max(most, now)
	}
	return (most + 999) / 1000
}

// machines states on how many nodes the jobs ran.
func (n *notes) machines() string {
	names := map[string]bool{}
	for list := range n.nodes {
		found, _ := nodes.Hosts(list)
		for _, h := range found {
			names[h] = true
		}
		if len(names) > maxLists {
			return ""
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(", on %d nodes with at most %d of one job on each", len(names), n.widest)
}

// back looks for the hour that occurs twice where clocks are put back.
type back struct {
	id, submit int64
	line       int32 // where submits went back, 0 = nowhere
	minutes    int64
}

// see looks at a row of a job without elements and components: submits of rising ids go back by up
// to an hour, in the night to or of a Sunday in spring or autumn.
func (b *back) see(id, text string, r *record) {
	n, ok := count(id)
	if !ok || b.line > 0 || len(text) != len("2024-11-03T01:00:00") {
		return
	}
	by := b.submit - r.submit
	t := time.UnixMicro(r.submit).UTC()
	if m := t.Month(); n > b.id && by > 1800e6 && by <= 3600e6 && t.Weekday() == time.Sunday && t.Hour() < 4 &&
		(m == time.March || m == time.April || m == time.October || m == time.November) {
		b.line, b.minutes = r.line, by/60e6
	}
	b.id, b.submit = n, r.submit
}
