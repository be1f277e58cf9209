package heterogeneity

import (
	"context"
	"slices"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
)

// duels are schedulers that know the speed of a model on a type against the same without it.
func duels() [][2]string {
	return [][2]string{{"max-min", agnostic}, {"max-min", fixed}, {"ftf", "ftf-agnostic"}, {"makespan", agnostic},
		{"hadar", agnostic}, {"allox", agnostic}, {"gandiva-fair", agnostic}}
}

// tables gives the tables of docs/results/heterogeneity.md.
func (a answer) tables(ctx context.Context, d *sweep.Data) (map[string]string, error) {
	all, err := open(ctx, d)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	some := func(name string, b *digest.Book, ok bool, p digest.Pages, make func(p *digest.Pages) (string, error)) {
		if !ok || err != nil {
			return
		}
		p.Book, p.Series = b, "scheduler"
		out[name], err = make(&p)
	}
	fill := func(name, axis, value string, p digest.Pages, make func(p *digest.Pages) (string, error)) {
		b, ok := where(all.Book, axis, value)
		some(name, b, ok, p, make)
	}
	against := func(metric string) func(p *digest.Pages) (string, error) {
		return func(p *digest.Pages) (string, error) { return p.Against(metric, duels()...) }
	}
	for demand := range demands() {
		fill("gain_"+plain(demand), "demand", demand, digest.Pages{X: "load"}, against(steady))
	}
	fill("spread", "spread", "", digest.Pages{X: "spread"}, against("jct_mean_s"))
	b, ok := lists(all.Book, true)
	some("traces", b, ok, digest.Pages{X: "list"}, func(p *digest.Pages) (string, error) {
		return p.Ratios("jct_mean_s", all.times.traced, slices.DeleteFunc(duels(),
			func(d [2]string) bool { return d[0] == "makespan" })...)
	})
	some("traces_makespan", b, ok, digest.Pages{X: "list"}, func(p *digest.Pages) (string,
		error) {
		return p.Ratios("makespan_s", all.times.makespans, duels()...)
	})
	b, ok = lists(all.Book, false)
	some("makespan", b, ok, digest.Pages{X: "list"}, against("makespan_s"))
	for _, links := range linked() {
		b, ok, failed := a.placed(all.Book, links)
		if failed != nil {
			return nil, failed
		}
		some("place_"+links, b, ok, digest.Pages{X: "load", Base: dally},
			func(p *digest.Pages) (string, error) { return p.Relative("jct_mean_s") })
	}
	return out, err
}
