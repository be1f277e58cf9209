package elastic

import (
	"context"
	"strings"

	"tarry/experiments/digest"
	"tarry/experiments/forms"
	"tarry/experiments/sweep"
	rows "tarry/output/results"
)

// Metrics of ours.
const (
	resizes  = "resizes"
	overhead = "overhead_min"
)

func (a answer) figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	all, err := open(ctx, d)
	if err != nil {
		return nil, err
	}
	for _, links := range linked() {
		b, ok, err := a.compared(all, links, "half")
		if err != nil {
			return nil, err
		}
		if ok {
			b.Relative("others_"+links,
				"Mean completion time of the same jobs under other schedulers, "+links+" links, ranges of half "+
					"to twice.", "busy", "scheduler", "jct_mean_s", dally, "load")
		}
		for _, jobs := range []string{"half", "wide"} {
			if b, ok := where(all, "wait", func(c *sweep.Cell) bool {
				return c.Axes["links"] == links &&
					c.Axes["jobs"] == jobs
			}); ok {
				b.Means("timers_"+links+"_"+jobs,
					"Mean completion time against both timers, "+links+" links, ranges "+saysOf(jobs)+".", "wait",
					"rules", "jct_mean_s", "both timers (leases)")
			}
		}
		b, ok = where(all, "load", func(c *sweep.Cell) bool { return c.Axes["links"] == links })
		if !ok {
			continue
		}
		named(b, dally, "shrink", "grow", "grow-over", "yield", "all", "all-over").
			Relative("timed_"+links, "Mean completion time of the same jobs with timers, by rule, "+links+" links.",
				"load", "scheduler", "jct_mean_s", dally, "load")
		named(b, dally, nowait, bare+"shrink", bare+"grow", bare+"grow-over", bare+"yield", bare+"all",
			bare+"all-over").
			Relative("bare_"+links, "Mean completion time of the same jobs without timers, by rule, "+links+" links.",
				"load", "scheduler", "jct_mean_s", dally, "load")
		named(b, dally, nowait, "shrink", "grow", "all", "all-over", bare+"shrink", bare+"all").
			Means("comm_"+links, "Share of communication, "+links+" links.", "load", "scheduler", "comm_frac", "load")
		named(b, "shrink", "grow", "yield", "all", "all-over").
			Means("resizes_"+links, "Resizes per job, "+links+" links.", "load", "scheduler", resizes, "load")
	}
	drawOnce(all)
	if err := drawDue(all); err != nil {
		return nil, err
	}
	return all.Figures()
}

// drawOnce draws the sweeps that have slow links alone.
func drawOnce(all *digest.Book) {
	if b, ok := where(all, "range", nil); ok {
		named(b, dally, nowait, "shrink", "all", "all-over", bare+"shrink", bare+"all").
			Means("ranges", "Mean completion time by what jobs can run on, slow links.", "range", "scheduler",
				"jct_mean_s", "range of GPUs")
	}
	if b, ok := where(all, "rescale", nil); ok {
		named(b, dally, "shrink", "grow", "yield", "all", "all-over", bare+"all").
			Relative("rescale", "Mean completion time against the time of a resize, slow links, ranges from "+
				"one GPU on.", "rescale", "scheduler", "jct_mean_s", dally, "time of a resize (s)")
	}
	if b, ok := where(all, "network", nil); ok {
		named(b, dally, nowait, "shrink", "all", bare+"shrink", bare+"all").
			Means("network", "Mean completion time with links of one's own and shared ones, slow links.", "network",
				"scheduler", "jct_mean_s", "")
	}
}

func linked() []string { return []string{"slow", "fast"} }

// saysOf reports a range of jobs in words.
func saysOf(jobs string) string {
	if jobs == "half" {
		return "of half to twice"
	}
	return "from one GPU to four times"
}

// where is the part of a book whose cells have a value on an axis that one sweep alone has.
func where(all *digest.Book, axis string, keep func(c *sweep.Cell) bool) (*digest.Book, bool) {
	b := all.Where(func(c *sweep.Cell) bool { return c.Axes[axis] != "" && (keep == nil || keep(c)) })
	return b, len(b.Values(axis)) > 0
}

// compared is the part that has schedulers of other kinds, over one kind of links and of jobs, with
// forms as validation chose them there.
func (a answer) compared(all *digest.Book, links, jobs string) (*digest.Book, bool, error) {
	b, ok := where(all, "busy", func(c *sweep.Cell) bool {
		return c.Axes["links"] == links &&
			c.Axes["between"] == jobs
	})
	if !ok {
		return b, ok, nil
	}
	b, err := b.Chosen("busy", "scheduler", "jct_mean_s", a.forms, forms.Validates)
	return b, ok, err
}

// named is the part of a book with some schedulers.
func named(b *digest.Book, who ...string) *digest.Book {
	is := " " + strings.Join(who, " ") + " "
	return b.Where(func(c *sweep.Cell) bool { return strings.Contains(is, " "+c.Axes["scheduler"]+" ") })
}

// open is a book with the metrics of ours.
func open(ctx context.Context, d *sweep.Data) (*digest.Book, error) {
	b, err := digest.OpenBook(ctx, d)
	if err != nil {
		return nil, err
	}
	moves, jobs, lost := map[rows.Keys]float64{}, map[rows.Keys]float64{}, map[rows.Keys]float64{}
	err = sweep.Scan(ctx, d, func(part []rows.Job) error {
		for i := range part {
			if j := &part[i]; j.Allocations > 0 {
				moves[j.Keys] += float64(j.Allocations - 1 - j.Preemptions - j.Migrations)
				jobs[j.Keys]++
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = sweep.Scan(ctx, d, func(part []rows.Trial) error {
		for i := range part {
			lost[part[i].Keys] = part[i].OverheadMean / 60
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	missed, err := readLate(ctx, d)
	if err != nil {
		return nil, err
	}
	return b.Adding(resizes, "resizes per job", func(k rows.Keys) float64 { return moves[k] / jobs[k] }).
		Adding(overhead, "overhead per job (min)", func(k rows.Keys) float64 { return lost[k] }).Adding(late,
		"jobs that missed their deadline, and one", func(k rows.Keys) float64 { return missed[k] }).Measured(ctx, d)
}
