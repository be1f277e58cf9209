package elastic

import (
	"context"
	"slices"
	"strings"

	"tarry/experiments/digest"
	"tarry/experiments/forms"
	"tarry/experiments/sweep"
	rows "tarry/output/results"
)

// Metrics of deadlines: digest.Book.Measured reads them from the table measures.
const (
	met      = "satisfied_frac"
	admitted = "satisfied_admitted_frac"
	rejected = "deadline_rejected"
	late     = "deadline_late" // jobs that did not meet their deadlines, and one: a number above 0
)

// elasticFlow is the name of ElasticFlow.
const elasticFlow = "elasticflow"

// punctual names the schedulers of the sweeps over deadlines in families of forms, the published
// one first: policies that read deadlines, Dally without and with rules, and others that read none.
func punctual() [][]string {
	return [][]string{{elasticFlow, "elasticflow-near"}, {"elasticflow-open", "elasticflow-open-near"},
		{"elastic-edf-admit", "elastic-edf-admit-near"}, {"elastic-edf", "elastic-edf-near"},
		{"edf-admit", "edf-admit-near", "edf-admit-delay"}, {"edf", "edf-near", "edf-delay"}, {dally}, {"all"},
		{"tiresias", "tiresias:place=skew"}, {"afs-l", "afs-l:place=near"}}
}

// punctualFamilies are the families of several forms, of which validation chooses one.
func punctualFamilies() [][]string {
	return slices.DeleteFunc(punctual(), func(forms []string) bool { return len(forms) == 1 })
}

// dues are the parts of the sweep over tightness, links, and load with the range of jobs, with
// forms as validation chose them there.
func dues(all *digest.Book, each func(name, says string, b *digest.Book)) error {
	for _, links := range linked() {
		for _, o := range []struct{ offered, name, says string }{
			{"0.9", "", "load 0.9, ranges of half to twice"}, {"1.2", "_busy", "load 1.2, ranges of half to twice"},
			{"0.9, wide", "_wide", "load 0.9, ranges from one GPU to four times"},
		} {
			b, ok := where(all, "tightness", func(c *sweep.Cell) bool {
				return c.Axes["links"] == links &&
					c.Axes["offered"] == o.offered
			})
			if !ok {
				continue
			}
			b, err := b.Chosen("tightness", "scheduler", late, punctualFamilies(), forms.Validates)
			if err != nil {
				return err
			}
			each(links+o.name, links+" links, "+o.says, b)
		}
	}
	return nil
}

// readLate counts, by trial, the jobs that did not meet their deadlines, and one.
func readLate(ctx context.Context, d *sweep.Data) (map[rows.Keys]float64, error) {
	jobs, out := map[rows.Keys]float64{}, map[rows.Keys]float64{}
	err := sweep.Scan(ctx, d, func(part []rows.Trial) error {
		for i := range part {
			jobs[part[i].Keys] = float64(part[i].Jobs)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, sweep.Scan(ctx, d, func(part []rows.Measure) error {
		for i := range part {
			if m := &part[i]; m.Name == met && m.Of == "" {
				out[m.Keys] = (1-m.Value)*jobs[m.Keys] + 1
			}
		}
		return nil
	})
}

// drawDue draws deadlines met against the tightness.
func drawDue(all *digest.Book) error {
	err := dues(all, func(name, says string, b *digest.Book) {
		b.Means("due_"+name, "Deadlines met, of all jobs, against the tightness of deadlines, "+says+".", "tightness",
			"scheduler", met, "tightness")
		named(b, elasticFlow, "elasticflow-open", "elastic-edf-admit", "edf-admit", dally, "all").
			Means("admitted_"+name, "Deadlines met, of admitted jobs, against the tightness of deadlines, "+says+".",
				"tightness", "scheduler", admitted, "tightness")
	})
	if err != nil {
		return err
	}
	for _, links := range linked() {
		if b, ok := where(all, "paid", func(c *sweep.Cell) bool { return c.Axes["links"] == links }); ok {
			named(b, elasticFlow, "elasticflow-open", "elastic-edf-admit", "edf-admit", dally, "all").
				Means("due_costs_"+links,
					"Deadlines met, of all jobs, by what preemptions and resizes cost, "+links+" links, tightness 1,"+
						" load 0.9.", "paid", "scheduler", met, "")
		}
	}
	return nil
}

// tablesDue adds the tables of deadlines: met of all jobs, of the admitted, rejected, by how much
// more ElasticFlow meets, and what costs change.
func tablesDue(all *digest.Book, out map[string]string) (err error) {
	add := func(name string, b *digest.Book, x string, make func(p *digest.Pages) (string, error)) {
		if err == nil {
			out[name], err = make(&digest.Pages{Book: b, X: x, Series: "scheduler", Base: dally})
		}
	}
	admit := []string{elasticFlow, "elasticflow-near", "elastic-edf-admit", "elastic-edf-admit-near", "edf-admit",
		"edf-admit-near", "edf-admit-delay"}
	means := func(metric string, digits int) func(p *digest.Pages) (string, error) {
		return func(p *digest.Pages) (string, error) { return p.Means(metric, digits) }
	}
	var duels [][2]string
	for _, name := range slices.Concat(punctual()...)[1:] {
		duels = append(duels, [2]string{elasticFlow, name})
	}
	failed := dues(all, func(name, _ string, b *digest.Book) {
		add("due_"+name, b, "tightness", means(met, 2))
		add("due_admitted_"+name, named(b, admit...), "tightness", means(admitted, 2))
		if !strings.HasSuffix(name, "_wide") {
			add("due_rejected_"+name, named(b, admit...), "tightness", means(rejected, 0))
			add("due_against_"+name, b, "tightness", func(p *digest.Pages) (string,
				error) {
				return p.Against(met, duels...)
			})
		}
	})
	if failed != nil {
		return failed
	}
	for _, links := range linked() {
		if b, ok := where(all, "paid", func(c *sweep.Cell) bool { return c.Axes["links"] == links }); ok {
			add("due_costs_"+links, b, "paid", means(met, 2))
			add("due_costs_admitted_"+links, named(b, admit...), "paid", means(admitted, 2))
		}
	}
	return err
}
