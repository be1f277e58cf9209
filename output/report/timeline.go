package report

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/output/results"
	"tarry/sim/cluster"
	"tarry/sim/preset"
)

// ticks is the resolution of a timeline.
const ticks = 1_000_000

// spanFields is how many integers a span has in timeline.Spans.
const spanFields = 7

// timeline is who held which GPU when, in one trial.
type timeline struct {
	Label string `json:"label"`
	// Start is the time of tick 0 and Tick the length of one, in seconds.
	Start second `json:"start"`
	Tick  second `json:"tick"`
	GPUs  int    `json:"gpus"`
	// Machines and Racks hold the first GPU of each.
	Machines []int `json:"machines"`
	Racks    []int `json:"racks"`
	// Types holds the GPU type of each machine, where there are several.
	Types []string `json:"types,omitempty"`
	// Workload is the number of its jobs in Page.Workloads; the spans point to them, and to Levels
	// and Ends.
	Workload int `json:"workload"`
	// Window names the jobs; trials of the same window are comparable.
	Window string   `json:"window"`
	Levels []string `json:"levels"`
	Ends   []string `json:"ends"`
	// Spans has for each span: start after the start before, length, job, level, end, first GPU,
	// GPUs.
	Spans []int `json:"spans"`
	// Every is the length of the steps, in seconds, in each of which one moment is drawn; 0 = all
	// is drawn as it was.
	Every num    `json:"every"`
	Note  string `json:"note"`
	// Until is the tick at which the record ends; Gone has the jobs that left without finishing:
	// job, tick.
	Until int   `json:"until"`
	Gone  []int `json:"gone,omitempty"`
	// Timers: the policy may wait for closer GPUs; Quotas: the trial has quotas.
	Timers bool `json:"timers,omitempty"`
	Quotas bool `json:"quotas,omitempty"`
}

// block is one allocation on adjacent GPUs.
type block struct {
	start, end  float64
	job         string
	level, ends string
	gpu, count  int
}

// area is the GPU-time of the block.
func (b *block) area() float64 { return float64((b.end - b.start) * float64(b.count)) }

// timelines reads the timelines of as many trials as the page takes, of trials with a text in their
// name. Their policies are as shown gives them.
func (f *folder) timelines(ctx context.Context, opt Options, shown func(policy string) string) error {
	var chosen []*run
	for _, r := range f.runs {
		if strings.Contains(r.name(), opt.Timelines) {
			chosen = append(chosen, r)
		}
	}
	n := min(len(chosen), maxTimelines)
	if n == 0 {
		if len(f.runs) > 0 {
			f.note("timelines: no trial has %q in its name", opt.Timelines)
		}
		return nil
	}
	// A few steps, so that a growing sweep does not read all again with every cell.
	most := 100_000
	for _, m := range [...]int{50_000, 20_000, 10_000, 5_000, 2_500, 1_000} {
		if n*most > maxSpans {
			most = m
		}
	}
	whole, seen := replayed(chosen[:n]), map[[sha256.Size]byte]int{}
	for i, r := range chosen[:n] {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.redraw(ctx, bound{most, whole[i]}, &f.left.spans); err != nil {
			return err
		}
		if r.undrawn != "" {
			f.note("%s", r.undrawn)
		}
		if r.drawn == nil {
			continue
		}
		t := *r.drawn
		t.Label, t.Window = r.named(shown(r.row.Policy)), r.window()
		t.Timers = delays(opt.Policies, r.row.Policy)
		var err error
		if t.Workload, err = f.shared(r.jobs, seen); err != nil {
			return err
		}
		f.page.Timelines = append(f.page.Timelines, t)
	}
	f.unplayed()
	if left := len(chosen) - n; left > 0 {
		f.note("timelines: the last %d of %d trials are left out, the page takes %d; --timelines TEXT chooses those "+
			"with TEXT in their name", left, len(chosen), maxTimelines)
	}
	return nil
}

// bound is how much of a trial is drawn: most spans, and whether all jobs are there.
type bound struct {
	most  int
	whole bool
}

// redraw reads the timeline of a trial, unless it was read for the same bound.
func (r *run) redraw(ctx context.Context, to bound, left *int64) error {
	if r.drawnFor == to {
		return nil
	}
	t, err := r.timeline(ctx, to, left)
	var more tooMany
	r.undrawn = ""
	if errors.As(err, &more) {
		r.undrawn = fmt.Sprintf("timelines: %s is left out: %v", r.name(), err)
		t, err = nil, nil
	}
	if err == nil {
		r.drawn, r.drawnFor = t, to
	}
	return err
}

// unplayed notes the timelines without a replay.
func (f *folder) unplayed() {
	n := 0
	for i := range f.page.Timelines {
		if t := &f.page.Timelines[i]; t.Every > 0 || !f.page.Workloads[t.Workload].Whole {
			n++
		}
	}
	if n > 0 {
		f.note("replay: %d of %d trials have none, for they have too many spans or jobs for one page; --timelines TEXT "+
			"chooses fewer trials, of which the page takes more", n, len(f.page.Timelines))
	}
}

// timeline reads one trial's intervals; nil when it has none.
func (r *run) timeline(ctx context.Context, to bound, left *int64) (*timeline, error) {
	targets, err := files(r.dir, results.Interval{}.Table())
	if err != nil {
		return nil, err
	}
	blocks := sampler{most: to.most}
	var sums byGPU
	gpus, config := 0, ""
	for _, target := range targets {
		if !target.Holds(r.row.Keys) {
			continue
		}
		meta, err := scanFile(ctx, target, left, func(rows []results.Interval) error {
			for i := range rows {
				row := &rows[i]
				if row.Keys != r.row.Keys {
					continue
				}
				list, err := results.ParseGPUs[int32](row.GPUList)
				if err != nil {
					return fmt.Errorf("%s: job %q: %w", target.Path, row.Job, err)
				}
				sums.add(row, list)
				for _, b := range split(row, list) {
					blocks.add(b)
					gpus = max(gpus, b.gpu+b.count)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		config = cmp.Or(meta.Config, config)
	}
	if blocks.count == 0 {
		return nil, nil
	}
	types := typesOf(config, r.row.Cluster)
	r.types = sums.byType(types)
	t := &timeline{}
	t.geometry(config, r.row.Cluster, gpus)
	for _, g := range t.Machines {
		if g < len(types) {
			t.Types = append(t.Types, types[g])
		}
	}
	drawn := blocks.drawn()
	t.Every, t.Note = num(blocks.every), blocks.note(drawn)
	if len(drawn) == 0 {
		return nil, nil
	}
	list, err := r.list(ctx, drawn, to.whole, left)
	if err != nil {
		return nil, err
	}
	t.encode(drawn, list)
	t.Quotas, r.jobs = owned(config), &list.workload
	return t, nil
}

// split cuts an interval into runs of adjacent GPUs.
func split(row *results.Interval, list []int32) []block {
	var out []block
	for _, g := range list {
		if n := len(out) - 1; n >= 0 && out[n].gpu+out[n].count == int(g) {
			out[n].count++
			continue
		}
		out = append(out, block{row.Start, row.End, row.Job, row.Tier, row.Reason, int(g), 1})
	}
	return out
}

// geometry sets the cluster: from the trial's configuration, from the cluster's name, or as many
// GPUs as were seen.
func (t *timeline) geometry(config, name string, gpus int) {
	t.Machines, t.Racks = []int{}, []int{}
	var c struct {
		Cluster struct {
			Racks []struct {
				Count    int
				Machines []struct{ Count, GPUs int }
			}
		}
	}
	const sane = 1 << 22 // GPUs; a broken configuration must not fill the memory
	if json.Unmarshal([]byte(config), &c) == nil {
		for _, rack := range c.Cluster.Racks {
			for range max(1, min(rack.Count, sane)) {
				t.Racks = append(t.Racks, t.GPUs)
				for _, m := range rack.Machines {
					for range max(1, min(m.Count, sane)) {
						if t.GPUs < sane {
							t.Machines = append(t.Machines, t.GPUs)
							t.GPUs += m.GPUs
						}
					}
				}
			}
		}
	}
	if t.GPUs >= gpus && t.GPUs > 0 {
		return
	}
	t.Machines, t.Racks, t.GPUs = []int{}, []int{}, gpus
	p, err := preset.Lookup(name)
	if err != nil {
		return
	}
	topo, err := cluster.New(p.Spec)
	if err != nil || topo.GPUs() < gpus {
		return
	}
	t.GPUs = topo.GPUs()
	machine, rack := -1, -1
	for g := range cluster.GPU(t.GPUs) {
		if m := topo.Machine(g); m != machine {
			machine, t.Machines = m, append(t.Machines, int(g))
		}
		if k := topo.Rack(machine); k != rack {
			rack, t.Racks = k, append(t.Racks, int(g))
		}
	}
}

// numbered gives texts numbers in the order in which they come.
type numbered struct {
	at   map[string]int
	list []string
}

func (n *numbered) of(s string) int {
	if i, ok := n.at[s]; ok {
		return i
	}
	if n.at == nil {
		n.at = map[string]int{}
	}
	n.at[s] = len(n.list)
	n.list = append(n.list, s)
	return len(n.list) - 1
}

// encode writes the blocks as integers.
func (t *timeline) encode(blocks []block, list *listed) {
	slices.SortFunc(blocks, func(a, b block) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.gpu, b.gpu), cmp.Compare(a.job, b.job),
			cmp.Compare(a.end, b.end))
	})
	start, end := blocks[0].start, blocks[0].end
	for _, b := range blocks {
		end = max(end, b.end)
	}
	tick := float64((end - start) / ticks)
	if !(tick > 0) {
		tick = 1
	}
	t.Start, t.Tick = second(start), second(tick)
	var levels, ends numbered
	at := func(s float64) int { return int(math.Round(float64((s - start) / tick))) }
	last := 0
	t.Spans = make([]int, 0, spanFields*len(blocks))
	for _, b := range blocks {
		from := at(b.start)
		t.Spans = append(t.Spans, from-last, at(b.end)-from, list.at[b.job], levels.of(b.level),
			ends.of(b.ends), b.gpu, b.count)
		last = from
	}
	t.Levels, t.Ends, t.Until = levels.list, ends.list, at(max(end, list.until))
	for _, d := range list.gone {
		t.Gone = append(t.Gone, list.at[d.job], at(d.at))
	}
}
