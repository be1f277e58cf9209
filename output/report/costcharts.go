package report

// chartID names a chart; a page of trials and of costs has some charts of both.
func (g *groups) chartID(id string) string {
	if g.cost {
		return "cost-" + id
	}
	return id
}

// numbers is what the charts of the groups show, at the head of a title.
func (g *groups) numbers() string {
	if g.cost {
		return "Costs"
	}
	return "Metrics"
}

// mainNumber is the number that the performance profile compares.
func (g *groups) mainNumber() string {
	if g.cost {
		return "cost"
	}
	return "mean JCT"
}

// shows lists the numbers of the charts, in the order of estimate; of costs there is one, whose name
// depends on the environment.
func (g *groups) shows() []metric {
	if g.cost {
		return metrics()[:1]
	}
	return metrics()
}

// axis describes the axis of a number of a group.
func (g *groups) axis(m int, one *group1) axis {
	if g.cost {
		name, unit := plainCost(one.units[0].runs[0].costName)
		return axis{Label: "mean " + name, Unit: unit}
	}
	what := metrics()[m]
	return axis{Label: what.title, Unit: what.unit}
}

// picks are the choices of a chart: of the number, and of where it is shown, as far as there are
// several.
func (g *groups) picks(where []string) []pick {
	out := []pick{}
	if shows := g.shows(); len(shows) > 1 {
		metric := pick{Label: "metric"}
		for _, m := range shows {
			metric.Options = append(metric.Options, m.title)
		}
		out = append(out, metric)
	}
	if len(where) > 1 {
		out = append(out, pick{Label: "where", Options: where})
	}
	return out
}

// picked is what is chosen of picks in the view of number m at where[w].
func (g *groups) picked(m, w int, where []string) []int {
	out := []int{}
	if len(g.shows()) > 1 {
		out = append(out, m)
	}
	if len(where) > 1 {
		out = append(out, w)
	}
	return out
}
