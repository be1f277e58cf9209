package heterogeneity

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
)

// duels are schedulers that know the speed of a model on a type against the same without it.
func duels() [][2]string {
	return [][2]string{{"max-min", agnostic}, {"ftf", "ftf-agnostic"}, {"makespan", agnostic}, {"hadar", agnostic}, {"gandiva-fair", agnostic}}
}

// tables gives the tables of docs/heterogeneity.md.
func tables(ctx context.Context, d *sweep.Data) (map[string]string, error) {
	all, err := open(ctx, d)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	fill := func(name, axis, value string, p digest.Pages, make func(p *digest.Pages) (string, error)) {
		b, ok := where(all.Book, axis, value)
		if !ok || err != nil {
			return
		}
		p.Book, p.Series = b, "scheduler"
		out[name], err = make(&p)
	}
	against := func(metric string) func(p *digest.Pages) (string, error) {
		return func(p *digest.Pages) (string, error) { return p.Against(metric, duels()...) }
	}
	for demand := range demands() {
		fill("gain_"+plain(demand), "demand", demand, digest.Pages{X: "load"}, against(steady))
	}
	fill("spread", "spread", "", digest.Pages{X: "spread"}, against("jct_mean_s"))
	fill("makespan", "static", "", digest.Pages{X: "static"}, against("makespan_s"))
	for _, links := range []string{"fast", "slow"} {
		fill("place_"+links, "links", links, digest.Pages{X: "load", Base: dally}, func(p *digest.Pages) (string, error) { return p.Relative("jct_mean_s") })
	}
	return out, err
}
