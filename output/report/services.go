package report

import (
	"context"
	"slices"

	"tarry/output/results"
)

// overTime draws power and services over time.
func (f *folder) overTime(ctx context.Context, shown func(policy string) string) ([]chart, error) {
	power, err := f.powerChart(ctx, shown)
	if err != nil {
		return nil, err
	}
	services, err := f.serviceChart(ctx, shown)
	return append(power, services...), err
}

// maxServed bounds the pairs of a trial and a service that are drawn.
const maxServed = 24

// serving reads what the services of a trial did over time; nil = it has no such table.
func (r *run) serving(ctx context.Context, left *int64) ([]results.ServiceSample, error) {
	if r.askedServed {
		return r.served, nil
	}
	all, err := rowsOf(ctx, r, left, func(s *results.ServiceSample) results.Keys { return s.Keys })
	if err != nil {
		return nil, err
	}
	r.served, r.askedServed = all, true
	return all, nil
}

// byService gives the rows of each service in the order of the table, each with at most so many
// points.
func byService(all []results.ServiceSample) [][]results.ServiceSample {
	var out [][]results.ServiceSample
	for len(all) > 0 {
		n := slices.IndexFunc(all, func(s results.ServiceSample) bool { return s.Service != all[0].Service })
		if n < 0 {
			n = len(all)
		}
		out = append(out, thinned(all[:n]))
		all = all[n:]
	}
	return out
}

// thinned joins stretches of one length, the last of which may be shorter, so that no more are left
// than powerPoints. What is attained is of the requests that arrive.
func thinned(all []results.ServiceSample) []results.ServiceSample {
	every := (len(all) + powerPoints - 1) / powerPoints
	if every < 2 {
		return all
	}
	var out []results.ServiceSample
	for part := range slices.Chunk(all, every) {
		one, n, arrived, good := part[0], float64(len(part)), 0.0, 0.0
		one.Load, one.Capacity, one.Replicas, one.Backlog, one.Lent = 0, 0, 0, 0, 0
		for i := range part {
			s := &part[i]
			one.Load += s.Load / n
			one.Capacity += s.Capacity / n
			one.Replicas += s.Replicas / n
			one.Backlog += s.Backlog / n
			one.Lent += s.Lent / n
			arrived, good = arrived+s.Load, good+float64(s.Load*s.Attained)
		}
		if one.Attained = 1; arrived > 0 {
			one.Attained = good / arrived
		}
		out = append(out, one)
	}
	return out
}

// serviceLine is a line of a view of a service.
type serviceLine struct {
	name string
	of   func(s *results.ServiceSample) float64
}

// serviceKind is what is drawn of a service.
type serviceKind struct {
	name  string
	y     axis
	lines []serviceLine
}

// serviceKinds are the views of a service, by the chart's pick of what is drawn.
func serviceKinds() []serviceKind {
	return []serviceKind{
		{"requests", axis{Label: "requests", Unit: "1/s"}, []serviceLine{
			{"load", func(s *results.ServiceSample) float64 { return s.Load }},
			{"capacity", func(s *results.ServiceSample) float64 { return s.Capacity }}}},
		{"attained", axis{Label: "answered in time", Unit: "%"}, []serviceLine{
			{"attained", func(s *results.ServiceSample) float64 { return 100 * s.Attained }}}},
		{"backlog", axis{Label: "requests that wait", Unit: "requests"}, []serviceLine{
			{"backlog", func(s *results.ServiceSample) float64 { return s.Backlog }}}},
		{"replicas", axis{Label: "replicas that serve", Unit: "replicas"}, []serviceLine{
			{"replicas", func(s *results.ServiceSample) float64 { return s.Replicas }}}},
		{"lent", axis{Label: "GPUs of services lent to training", Unit: "GPUs"}, []serviceLine{
			{"lent", func(s *results.ServiceSample) float64 { return s.Lent }}}},
	}
}

// serviceChart draws services of trials over time; there is none where no trial has services.
func (f *folder) serviceChart(ctx context.Context, shown func(policy string) string) ([]chart, error) {
	c := chart{ID: "services", Title: "Services over time", Note: "Means of stretches of time: requests that arrive " +
		"and that the replicas can serve, the part answered in time, requests that wait, replicas that serve, and " +
		"GPUs of machines of all services that are lent to training."}
	of, who, more := pick{Label: "of"}, pick{Label: "service"}, 0
	var all [][]results.ServiceSample
	var ends []float64
	for _, r := range f.runs {
		if len(all) >= maxServed {
			more++
			continue
		}
		rows, err := r.serving(ctx, &f.left.services)
		if err != nil {
			return nil, err
		}
		for _, one := range byService(rows) {
			if len(all) < maxServed && len(one) > 1 {
				all, ends = append(all, one), append(ends, endOf(one, r.row.Makespan))
				who.Options = append(who.Options, one[0].Service+", "+r.named(shown(r.row.Policy)))
			}
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	for _, kind := range serviceKinds() {
		var views []view
		for k, rows := range all {
			v := view{Pick: []int{len(of.Options), k}, Mark: "step", X: axis{Label: "time", Unit: "s"}, Y: kind.y}
			for colour, line := range kind.lines {
				s := series{Name: line.name, Colour: colour}
				for i := range rows {
					s.X, s.Y = append(s.X, num(rows[i].Time)), append(s.Y, num(line.of(&rows[i])))
				}
				s.X, s.Y = append(s.X, num(ends[k])), append(s.Y, s.Y[len(s.Y)-1])
				v.Series = append(v.Series, s)
			}
			views = append(views, v)
		}
		if kind.name == "lent" && !slices.ContainsFunc(all, lends) {
			continue
		}
		of.Options, c.Views = append(of.Options, kind.name), append(c.Views, views...)
	}
	if c.Picks = []pick{of, who}; more > 0 {
		f.note("%s: %d trials are left out, the page takes %d services of trials", c.Title, more, maxServed)
	}
	return []chart{c}, nil
}

// endOf is the end of the last of several stretches, which the end of the jobs may cut.
func endOf(rows []results.ServiceSample, makespan float64) float64 {
	last := rows[len(rows)-1].Time
	end := last + rows[1].Time - rows[0].Time
	if makespan > last {
		return min(end, makespan)
	}
	return end
}

// lends reports whether machines are lent at some time.
func lends(rows []results.ServiceSample) bool {
	return slices.ContainsFunc(rows, func(s results.ServiceSample) bool { return s.Lent > 0 })
}
