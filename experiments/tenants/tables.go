package tenants

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
)

// tables gives the tables of docs/results/tenants.md and of the page beside it.
func tables(ctx context.Context, d *sweep.Data) (map[string]string, error) {
	all, err := digest.OpenBook(ctx, d)
	if err != nil {
		return nil, err
	}
	by, err := all.ByTenant(ctx, d)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, p := range parts(by) {
		pages := &digest.Pages{Book: p.book, X: digest.TenantAxis, Series: p.series, Base: p.base}
		for _, metric := range p.metrics {
			name := p.name + "_" + metric
			if p.relative {
				out[name], err = pages.Relative(metric)
			} else {
				out[name], err = pages.Means(metric, 2)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	for _, p := range [][2]string{{"who", "sizes"}, {"load", "load"}, {"skew", "skew"}} {
		jct := &digest.Pages{Book: all.Where(func(c *sweep.Cell) bool { return inSweep(c, p[0]) }), X: p[1],
			Series: "scheduler", Base: dally}
		if len(jct.Values(p[1])) == 0 {
			continue
		}
		if out[p[0]+"_jct_mean_s"], err = jct.Relative("jct_mean_s"); err != nil {
			return nil, err
		}
		if p[0] == "who" {
			continue
		}
		if out[p[0]+"_settings"], err = jct.Against("jct_mean_s", settings()...); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// settings are schedulers that differ in one setting, the one with it first.
func settings() [][2]string {
	return [][2]string{{"dally-vc", dally}, {"low-vc", "low"}, {"low-vc-fair", "low-fair"}, {"dally-fair", dally},
		{"low-fair", "low"}, {"nowait-fair", "dally-nowait"}}
}

// tablePart is a part of the rows with a table by tenant for each metric.
type tablePart struct {
	book         *digest.Book
	name, series string
	base         string
	relative     bool
	metrics      []string
}

func parts(by *digest.Book) (list []tablePart) {
	add := func(name, axis, series string, relative bool, metrics ...string) {
		here := by.Where(func(c *sweep.Cell) bool { return inSweep(c, name) })
		for _, v := range here.Values(axis) {
			p := tablePart{name: name + "_" + v, series: series, base: dally, relative: relative, metrics: metrics}
			if series == "patience" {
				p.base = "all"
			}
			p.book = here.Where(func(c *sweep.Cell) bool { return c.Axes[axis] == v })
			list = append(list, p)
		}
	}
	add("who", "sizes", "scheduler", false, "queue_mean_s", "delay_wait_mean_s", "excess_queue_mean_s", "anomaly_frac")
	add("load", "load", "scheduler", false, "delay_wait_mean_s")
	add("skew", "skew", "scheduler", false, "excess_queue_mean_s")
	add("patience", "fair", "patience", true, "jct_mean_s")
	return list
}
