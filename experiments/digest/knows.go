package digest

import (
	"strings"

	"tarry/env"
	"tarry/env/schedenv"
	"tarry/output/figure"
	"tarry/output/knows"
	"tarry/output/results"
	"tarry/run/parts"
	"tarry/sim/param"
)

// named gives the catalogues whose names rows of earlier versions are judged by; without any they
// count as not clairvoyant.
func named(d Cells) *parts.Catalogues {
	if from, ok := d.(interface{ Names() *parts.Catalogues }); ok && from.Names() != nil {
		return from.Names()
	}
	return &parts.Catalogues{}
}

// clairvoyant lists the series all of whose rows know the work that is left.
func clairvoyant(d Cells, rows []results.Trial, l *Layout) []string {
	blind, from := map[string]bool{}, named(d)
	var names []string
	asked := map[string]bool{} // by policy and environment: rows are many
	for i := range rows {
		c, ok := d.Cell(rows[i].Keys)
		if !ok {
			continue
		}
		name, on := l.series(&c, rows[i].Keys), ""
		if l.learned != nil && l.learned(rows[i].Keys) {
			on, _ = c.Settings["env"].(string)
		}
		key := rows[i].Policy + "\x00" + rows[i].Knows + "\x00" + on
		yes, there := asked[key]
		if !there {
			yes = knows.Row(&rows[i].Summary, rows[i].Policy, from.Policies) || rows[i].Knows == "" && on != "" &&
				c.Kind == "learn" && seesWork(from, on)
			asked[key] = yes
		}
		if yes {
			index(&names, name)
		} else {
			blind[name] = true
		}
	}
	var out []string
	for _, name := range names {
		if !blind[name] {
			out = append(out, name)
		}
	}
	return out
}

// seesWork reports of an agent of an earlier version, whose rows do not state what it read, whether
// its environment showed it the work that is left: that depends on the environment and on the
// options that hide or order something, and not on the jobs.
func seesWork(from *parts.Catalogues, text string) bool {
	id, options, _ := strings.Cut(text, ":")
	var kept []string
	for _, o := range param.Split(options) {
		switch key, _, _ := strings.Cut(o, "="); strings.TrimSpace(key) {
		case "base", "hide", "hide_work", "order":
			kept = append(kept, o)
		}
	}
	if len(kept) > 0 {
		id += ":" + strings.Join(kept, ",")
	}
	e, err := from.Envs.Make(from.Catalogues, id)
	if err != nil {
		return false
	}
	on, ok := env.Find[schedenv.Simulated](e)
	return ok && on.AsPolicy(nil).Knows().Clairvoyant()
}

// star marks the series of a figure over an axis that are clairvoyant.
func (b *Book) star(f *figure.Figure, axis string) {
	if f == nil {
		return
	}
	l := b.layout("", axis, Metric{})
	f.Star(clairvoyant(b.d, b.out.rows, &l), knows.Key)
}
