package elastic

import (
	"context"
	"slices"
	"strings"

	"tarry/experiments/digest"
	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
	rows "tarry/output/results"
)

// Metrics of deadlines: digest.Book.Measured knows them from the table measures.
const (
	met      = "satisfied_frac"
	admitted = "satisfied_admitted_frac"
	rejected = "deadline_rejected"
	late     = "deadline_late" // jobs that did not meet their deadlines, and one: a number above 0
)

// due gives jobs deadlines by ElasticFlow's law: the tightness times 0.5 to 1.5 times what they
// would run alone on what they ask for.
func due(set sweep.Settings, tightness string) sweep.Settings {
	set["costs"] = noCheckpoint("15", "30")
	set["deadlines"] = map[string]any{"tightness": tightness, "min": "0.5", "max": "1.5"}
	return set
}

// noCheckpoint are costs as elsewhere, but that all of a preemption is paid at the restart: where a
// checkpoint takes time, GPUs do not come free at once.
func noCheckpoint(restore, rescale string) string {
	return "checkpoint_s=0,restore_s=" + restore + ",rescale_s=" + rescale
}

// deadlines varies the tightness of deadlines, the load, links and the range of jobs.
func deadlines(scale, name string, who []scheduler) sweep.Spec {
	return of(scale, name, due(base(scale, "0.9"), "{tightness}"), linksAxis(scale),
		sweep.Axis{Name: "offered", Cases: sweep.At(scale, offers()[:1], offers()[:1], offers())},
		sweep.Axis{Name: "tightness", Values: sweep.At(scale, []string{"1", "2"}, []string{"0.5", "1", "3"},
			[]string{"0.5", "1", "2", "3"})},
		axisOf(who))
}

// dueValidation has the schedulers of several forms on other seeds, half as many.
func dueValidation(scale string) sweep.Spec {
	var who []scheduler
	for _, forms := range punctualForms() {
		who = append(who, forms...)
	}
	s := deadlines(scale, "due-validation", who)
	s.Seeds = rivals.Validation(len(s.Seeds) / 2)
	return s
}

// offers are loads and ranges of jobs: half of what is asked for to twice at two loads, and from
// one GPU on.
func offers() []sweep.Case {
	busy := base(sweep.Full, "1.2")
	return []sweep.Case{
		{Name: "0.9", Set: sweep.Settings{}},
		{Name: "1.2", Set: sweep.Settings{"trace": busy["trace"]}},
		{Name: "0.9, wide", Set: sweep.Settings{"elastic": wide}},
	}
}

// paid varies what preemptions and resizes cost.
func paid(scale string) sweep.Spec {
	return of(scale, "due-costs", due(base(scale, "0.9"), "1"), linksAxis(scale),
		sweep.Axis{Name: "paid", Cases: []sweep.Case{
			{Name: "nothing", Set: sweep.Settings{"costs": noCheckpoint("0", "0")}},
			{Name: "resize 30 s", Set: sweep.Settings{"costs": noCheckpoint("15", "30")}},
			{Name: "resize 120 s", Set: sweep.Settings{"costs": noCheckpoint("15", "120")}},
			{Name: "checkpoint 5 s", Set: sweep.Settings{"costs": costs("30")}},
		}}, axisOf(costly()))
}

// costly are the published forms, and two that look where GPUs lie.
func costly() []scheduler {
	return slices.DeleteFunc(punctual(), func(s scheduler) bool {
		return s.name != "elasticflow-near" && s.name != "edf-admit-near" &&
			(strings.HasSuffix(s.name, "-near") || strings.HasSuffix(s.name, "-delay") || strings.Contains(s.name, ":"))
	})
}

// elasticFlow is the name of ElasticFlow.
const elasticFlow = "elasticflow"

// punctual are the schedulers that read deadlines, rigid and elastic, with and without admission,
// and some that do not.
func punctual() []scheduler {
	var out []scheduler
	for i, forms := range punctualForms() {
		if i == readers {
			out = append(out, basesOf(dally, "all")...)
		}
		out = append(out, forms...)
	}
	return out
}

// readers is how many of the forms' families read deadlines; they are the first.
const readers = 6

// punctualForms are the schedulers of several forms of placement, the published one first. Names
// that end in -near place jobs near to each other where that can be, in place of aligned blocks or
// anywhere; -delay waits for it until timers end.
func punctualForms() [][]scheduler {
	var out [][]scheduler
	for _, s := range []scheduler{{elasticFlow, ""}, {"elasticflow-open", "variant=ef,"},
		{"elastic-edf-admit", "variant=edf-accessctrl,"}, {"elastic-edf", "variant=edf,"}} {
		out = append(out, []scheduler{{s.name, with("elasticflow", strings.TrimSuffix(s.policy, ","))},
			{s.name + "-near", "elasticflow:" + s.policy + "place=near"}})
	}
	for _, s := range []scheduler{{"edf-admit", "admission=on,"}, {"edf", ""}} {
		plain := with("deadline-first", strings.TrimSuffix(s.policy, ","))
		out = append(out, []scheduler{{s.name, plain}, {s.name + "-near", "deadline-first:" + s.policy +
			"place=consolidate"}, {s.name + "-delay", "deadline-first:" + s.policy + "place=delay"}})
	}
	return append(out, []scheduler{{"tiresias", "tiresias"}, {"tiresias:place=skew", "tiresias:place=skew"}},
		[]scheduler{{"afs-l", "afs-l"}, {"afs-l" + near, "afs-l" + near}})
}

// punctualFamilies are the names of these forms.
func punctualFamilies() [][]string {
	var out [][]string
	for _, forms := range punctualForms() {
		var names []string
		for _, f := range forms {
			names = append(names, f.name)
		}
		out = append(out, names)
	}
	return out
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
			b, err := b.Chosen("tightness", "scheduler", late, punctualFamilies(), rivals.Validates)
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
	for _, s := range punctual()[1:] {
		duels = append(duels, [2]string{elasticFlow, s.name})
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
