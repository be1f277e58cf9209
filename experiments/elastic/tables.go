package elastic

import (
	"context"
	"strings"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
)

// duels are rules without timers against the same with auto-tuned ones.
func duels() [][2]string {
	out := [][2]string{{nowait, dally}}
	for _, r := range rules() {
		out = append(out, [2]string{bare + r, r})
	}
	return out
}

// withTimers has the rules with timers, and no rules and no timers.
func withTimers(scheduler string) bool {
	return scheduler == nowait || !strings.HasPrefix(scheduler, bare)
}

// tables gives the tables of docs/results/elasticity.md and docs/results/elasticity.md.
func (a answer) tables(ctx context.Context, d *sweep.Data) (map[string]string, error) {
	all, err := open(ctx, d)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	w, err := readWaits(ctx, d)
	if err != nil {
		return nil, err
	}
	if len(w.seeds) > 1 {
		if out["gain"], err = w.gains(); err != nil {
			return nil, err
		}
		if out["instead"], err = w.instead(); err != nil {
			return nil, err
		}
	}
	fill := func(name, x, links string, keep func(string) bool, make func(p *digest.Pages) (string, error)) {
		b, ok := where(all, x, func(c *sweep.Cell) bool { return links == "" || c.Axes["links"] == links })
		if !ok || err != nil {
			return
		}
		out[name], err = make(&digest.Pages{Book: b, X: x, Series: "scheduler", Base: dally, Keep: keep})
	}
	relative := func(metric string) func(p *digest.Pages) (string, error) {
		return func(p *digest.Pages) (string, error) { return p.Relative(metric) }
	}
	for _, links := range linked() {
		fill("load_"+links, "load", links, withTimers, relative("jct_mean_s"))
		fill("p99_"+links, "load", links, isFew, relative("jct_p99_s"))
		fill("duels_"+links, "load", links, nil, func(p *digest.Pages) (string,
			error) {
			return p.Against("jct_mean_s", duels()...)
		})
		fill("resizes_"+links, "load", links, isFew, func(p *digest.Pages) (string,
			error) {
			return p.Means(resizes, 1)
		})
	}
	for _, links := range linked() {
		for _, jobs := range []string{"half", "wide"} {
			b, ok, failed := a.compared(all, links, jobs)
			if failed != nil {
				return nil, failed
			}
			if ok && err == nil {
				out["others_"+links+"_"+jobs], err = (&digest.Pages{Book: b, X: "busy", Series: "scheduler",
					Base: dally}).Relative("jct_mean_s")
			}
		}
	}
	fill("makespan_slow", "load", "slow", isFew, relative("makespan_s"))
	fill("overhead_slow", "load", "slow", isFew, func(p *digest.Pages) (string, error) { return p.Means(overhead, 1) })
	fill("comm_slow", "load", "slow", isFew, func(p *digest.Pages) (string, error) { return p.Means("comm_frac", 3) })
	for _, x := range []string{"range", "rescale", "network"} {
		fill(x, x, "", nil, relative("jct_mean_s"))
	}
	if err != nil {
		return nil, err
	}
	return out, tablesDue(all, out)
}
