package elastic

import (
	"strings"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
)

// Metrics of deadlines: digest.Book.Measured knows them from the table measures.
const (
	met      = "satisfied_frac"
	admitted = "satisfied_admitted_frac"
	rejected = "deadline_rejected"
)

// due gives jobs deadlines by ElasticFlow's law: the tightness times 0.5 to 1.5 times what they would run alone on what they ask for.
func due(set sweep.Settings, tightness string) sweep.Settings {
	set["costs"] = noCheckpoint("15", "30")
	set["deadlines"] = map[string]any{"tightness": tightness, "min": "0.5", "max": "1.5"}
	return set
}

// noCheckpoint are costs as elsewhere, but that all of a preemption is paid at the restart: where a checkpoint takes time, GPUs do not come free at
// once.
func noCheckpoint(restore, rescale string) string {
	return "checkpoint_s=0,restore_s=" + restore + ",rescale_s=" + rescale
}

// deadlines varies the tightness of deadlines, the load, links and the range of jobs.
func deadlines(scale string) sweep.Spec {
	return of(scale, "due", due(base(scale, "0.9"), "{tightness}"), linksAxis(scale),
		sweep.Axis{Name: "offered", Cases: sweep.At(scale, offers()[:1], offers()[:1], offers())},
		sweep.Axis{Name: "tightness", Values: sweep.At(scale, []string{"1", "2"}, []string{"0.5", "1", "3"}, []string{"0.5", "1", "2", "3"})},
		axisOf(punctual()))
}

// offers are loads and ranges of jobs: half of what is asked for to twice at two loads, and from one GPU on.
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
	return of(scale, "due-costs", due(base(scale, "0.9"), "1"), linksAxis(scale), sweep.Axis{Name: "paid", Cases: []sweep.Case{
		{Name: "nothing", Set: sweep.Settings{"costs": noCheckpoint("0", "0")}},
		{Name: "resize 30 s", Set: sweep.Settings{"costs": noCheckpoint("15", "30")}},
		{Name: "resize 120 s", Set: sweep.Settings{"costs": noCheckpoint("15", "120")}},
		{Name: "checkpoint 5 s", Set: sweep.Settings{"costs": costs("30")}},
	}}, axisOf(punctual(), placed()))
}

// elasticFlow is the name of ElasticFlow.
const elasticFlow = "elasticflow"

// punctual are the schedulers that read deadlines, rigid and elastic, with and without admission, and some that do not.
func punctual() []scheduler {
	out := []scheduler{
		{elasticFlow, "elasticflow"}, {"elasticflow-open", "elasticflow:variant=ef"},
		{"elastic-edf-admit", "elasticflow:variant=edf-accessctrl"}, {"elastic-edf", "elasticflow:variant=edf"},
		{"edf-admit", "deadline-first:admission=on"}, {"edf", "deadline-first"},
	}
	for _, s := range bases() {
		if s.name == dally || s.name == "all" {
			out = append(out, s)
		}
	}
	return append(out, scheduler{"tiresias", "tiresias"}, scheduler{"afs-l", "afs-l"})
}

// dues are the parts of the sweep over tightness: links, and load with the range of jobs.
func dues(all *digest.Book, each func(name, says string, b *digest.Book)) {
	for _, links := range linked() {
		for _, o := range []struct{ offered, name, says string }{
			{"0.9", "", "load 0.9, ranges of half to twice"}, {"1.2", "_busy", "load 1.2, ranges of half to twice"}, {"0.9, wide", "_wide", "load 0.9, ranges from one GPU to four times"},
		} {
			if b, ok := where(all, "tightness", func(c *sweep.Cell) bool { return c.Axes["links"] == links && c.Axes["offered"] == o.offered }); ok {
				each(links+o.name, links+" links, "+o.says, b)
			}
		}
	}
}

// placed are two of them that look where GPUs lie.
func placed() []scheduler {
	return []scheduler{{"elasticflow-near", "elasticflow:place=near"}, {"edf-admit-near", "deadline-first:admission=on,place=consolidate"}}
}

// drawDue draws deadlines met against the tightness.
func drawDue(all *digest.Book) {
	dues(all, func(name, says string, b *digest.Book) {
		b.Means("due_"+name, "Deadlines met, of all jobs, against the tightness of deadlines, "+says+".", "tightness", "scheduler", met, "tightness")
		named(b, elasticFlow, "elasticflow-open", "elastic-edf-admit", "edf-admit", dally, "all").
			Means("admitted_"+name, "Deadlines met, of admitted jobs, against the tightness of deadlines, "+says+".", "tightness", "scheduler", admitted, "tightness")
	})
	for _, links := range linked() {
		if b, ok := where(all, "paid", func(c *sweep.Cell) bool { return c.Axes["links"] == links }); ok {
			named(b, elasticFlow, "elasticflow-open", "elastic-edf-admit", "edf-admit", dally, "all").
				Means("due_costs_"+links, "Deadlines met, of all jobs, by what preemptions and resizes cost, "+links+" links, tightness 1, load 0.9.", "paid", "scheduler", met, "")
		}
	}
}

// tablesDue adds the tables of deadlines: met of all jobs, of the admitted, rejected, by how much more ElasticFlow meets, and what costs change.
func tablesDue(all *digest.Book, out map[string]string) (err error) {
	add := func(name string, b *digest.Book, x string, make func(p *digest.Pages) (string, error)) {
		if err == nil {
			out[name], err = make(&digest.Pages{Book: b, X: x, Series: "scheduler", Base: dally})
		}
	}
	admit := []string{elasticFlow, "elasticflow-near", "elastic-edf-admit", "edf-admit", "edf-admit-near"}
	means := func(metric string, digits int) func(p *digest.Pages) (string, error) {
		return func(p *digest.Pages) (string, error) { return p.Means(metric, digits) }
	}
	var rivals [][2]string
	for _, s := range punctual()[1:] {
		rivals = append(rivals, [2]string{elasticFlow, s.name})
	}
	dues(all, func(name, _ string, b *digest.Book) {
		add("due_"+name, b, "tightness", means(met, 2))
		add("due_admitted_"+name, named(b, admit...), "tightness", means(admitted, 2))
		if !strings.HasSuffix(name, "_wide") {
			add("due_rejected_"+name, named(b, admit...), "tightness", means(rejected, 0))
			add("due_against_"+name, b, "tightness", func(p *digest.Pages) (string, error) { return p.Against(met, rivals...) })
		}
	})
	for _, links := range linked() {
		if b, ok := where(all, "paid", func(c *sweep.Cell) bool { return c.Axes["links"] == links }); ok {
			add("due_costs_"+links, b, "paid", means(met, 2))
			add("due_costs_admitted_"+links, named(b, admit...), "paid", means(admitted, 2))
		}
	}
	return err
}
