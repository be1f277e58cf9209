package heterogeneity

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"tarry/experiments/digest"
	"tarry/experiments/forms"
	"tarry/experiments/sweep"
	rows "tarry/output/results"
)

// Metrics of ours.
const (
	steady = "steady_s"
	unfair = "fairness_p95"
)

func (a answer) figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	all, err := open(ctx, d)
	if err != nil {
		return nil, err
	}
	for _, demand := range all.Values("demand") {
		if b, ok := where(all.Book, "demand", demand); ok && demand != "" {
			all.drawLoads(ctx, b, demand)
		}
	}
	if b, ok := where(all.Book, "spread", ""); ok {
		b.Relative("jct_spread_relative", "Mean completion time by how differently models gain from a faster GPU.",
			"spread", "scheduler", "jct_mean_s", agnostic, "spread of speeds")
	}
	if b, ok := lists(all.Book, false); ok {
		b.Means("makespan", "Makespan of jobs that are all there at the start.", "list", "scheduler", "makespan_s",
			"jobs")
		b.Relative("makespan_relative", "Makespan of the same jobs.", "list", "scheduler", "makespan_s", agnostic,
			"jobs")
	}
	if b, ok := lists(all.Book, true); ok {
		b.Relative("trace_jct_relative", "Mean completion time of the same jobs, stored traces.", "list", "scheduler",
			"jct_mean_s", agnostic, "trace")
		b.Relative("trace_makespan_relative", "Makespan of the same jobs, stored traces.", "list", "scheduler",
			"makespan_s", agnostic, "trace")
	}
	for _, links := range linked() {
		b, ok, err := a.placed(all.Book, links)
		if err != nil {
			return nil, err
		}
		if ok {
			b.Means("place_"+links, "Mean completion time on racks with "+links+" links.", "load", "scheduler",
				"jct_mean_s", "load")
			b.Relative("place_relative_"+links, "Mean completion time of the same jobs on racks with "+links+" links.",
				"load", "scheduler", "jct_mean_s", dally, "load")
		}
	}
	made, err := all.Figures()
	b, ok := where(all.Book, "demand", "multiple")
	if err != nil || !ok {
		return made, err
	}
	used, err := drawUsage(ctx, d, b.Values("load"))
	return append(made, used...), err
}

// book is a book with the metrics of the jobs of interest.
type book struct {
	*digest.Book
	times *times
}

func open(ctx context.Context, d *sweep.Data) (*book, error) {
	b, err := digest.OpenBook(ctx, d)
	if err != nil {
		return nil, err
	}
	t, err := readTimes(ctx, d)
	if err != nil {
		return nil, err
	}
	return &book{b.Adding(steady, "mean completion time (h)", t.steady).Adding(unfair, "p95 of finish-time fairness",
		t.unfair), t}, nil
}

// drawLoads draws what a sweep over the load shows of one kind of jobs.
func (all *book) drawLoads(ctx context.Context, b *digest.Book, demand string) {
	what, name := demands()[demand], plain(demand)
	few := b.Where(func(c *sweep.Cell) bool { return slices.Contains(pairs(), c.Axes["scheduler"]) })
	few.Means("jct_"+name, "Mean completion time against the load, "+what+".", "load", "scheduler", steady, "load")
	b.Relative("jct_relative_"+name, "Mean completion time of the same jobs, "+what+".", "load", "scheduler", steady,
		agnostic, "load")
	b.Where(func(c *sweep.Cell) bool { return c.Axes["scheduler"] != isolated }).
		Means("fairness_p95_"+name, "95th percentile of finish-time fairness, "+what+".", "load", "scheduler", unfair,
			"load")
	if at := b.Values("load"); len(at) > 0 && len(all.times.alone) > 0 {
		load := at[len(at)/2]
		b.CDF(ctx, "fairness_"+name, "Finish-time fairness of all jobs at a load of "+load+", "+what+".", "scheduler",
			"completion time / isolated",
			func(c *sweep.Cell) bool {
				return c.Axes["demand"] == demand && c.Axes["load"] == load && c.Axes["scheduler"] != isolated
			}, func(j *rows.Job) float64 { return all.times.fairness(j) })
	}
}

// where is the part of a book whose cells have a value on an axis that one sweep alone has; "" =
// any value.
func where(all *digest.Book, axis, value string) (*digest.Book, bool) {
	b := all.Where(func(c *sweep.Cell) bool { return c.Axes[axis] != "" && (value == "" || c.Axes[axis] == value) })
	return b, len(b.Values("scheduler")) > 0
}

func linked() []string { return []string{"fast", "slow"} }

// placed is the part over one kind of links, with forms as validation chose them there.
func (a answer) placed(all *digest.Book, links string) (*digest.Book, bool, error) {
	b, ok := where(all, "links", links)
	if !ok {
		return b, ok, nil
	}
	b, err := b.Chosen("load", "scheduler", "jct_mean_s", a.forms, forms.Validates)
	return b, ok, err
}

// lists is the part of a book whose cells have a list of jobs: generated ones, all there at the
// start, which are called after their number, or stored traces
// (examples/heterogeneity/traces.yaml).
func lists(all *digest.Book, traces bool) (*digest.Book, bool) {
	b := all.Where(func(c *sweep.Cell) bool { return c.Axes["list"] != "" && stored(c) == traces })
	return b, len(b.Values("scheduler")) > 0
}

// stored reports whether the jobs of a cell are from a stored trace.
func stored(c *sweep.Cell) bool {
	_, err := strconv.Atoi(c.Axes["list"])
	return c.Axes["list"] != "" && err != nil
}

// demands reports in words what jobs ask for.
func demands() map[string]string {
	const one, more, known = "jobs of one GPU", "jobs of one to eight GPUs", ", measured speeds"
	return map[string]string{"single": one, "multiple": more, "single-measured": one + known,
		"multiple-measured": more + known}
}

// plain is a value of an axis as a part of a name.
func plain(value string) string { return strings.ReplaceAll(value, "-", "_") }
