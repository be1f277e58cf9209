package tenants

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
)

func figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	all, err := digest.OpenBook(ctx, d)
	if err != nil {
		return nil, err
	}
	by, err := all.ByTenant(ctx, d)
	if err != nil {
		return nil, err
	}
	of := func(b *digest.Book, name string) *digest.Book {
		return b.Where(func(c *sweep.Cell) bool { return inSweep(c, name) })
	}
	if b := of(by, "who"); len(b.Values("scheduler")) > 0 {
		for _, sizes := range b.Values("sizes") {
			here := b.Where(func(c *sweep.Cell) bool { return c.Axes["sizes"] == sizes })
			for _, m := range perTenant() {
				m.draw(here, sizes, ", sizes "+sizes+".")
			}
		}
		of(all, "who").Relative("jct", "Mean completion time of the same jobs.", "sizes", "scheduler", "jct_mean_s",
			dally, "sizes of the tenants' jobs")
	}
	if b := of(by, "load"); len(b.Values("load")) > 0 {
		for _, vc := range b.Values(digest.TenantAxis) {
			here := b.Where(func(c *sweep.Cell) bool { return c.Axes[digest.TenantAxis] == vc })
			here.Means("load_delay_"+vc, "Delay wait of "+vc+" of three, by size.", "load", "scheduler",
				"delay_wait_mean_s", "load")
			here.Means("load_queue_"+vc, "Queueing of "+vc+" of three, by size.", "load", "scheduler", "queue_mean_s",
				"load")
		}
		of(all, "load").Relative("load_jct", "Mean completion time of the same jobs, sizes unlike.", "load",
			"scheduler", "jct_mean_s", dally, "load")
	}
	if b := of(by, "skew"); len(b.Values("skew")) > 0 {
		here := b.Where(func(c *sweep.Cell) bool { return c.Axes["skew"] == "1" })
		for _, m := range []tenantMetric{{"excess", "Wait beyond a private cluster's", "excess_queue_mean_s"},
			{"queue", "Queueing", "queue_mean_s"}} {
			m.draw(here, "skew", "; vc1 asks for 55 %.")
		}
		of(all, "skew").Relative("skew_jct", "Mean completion time of the same jobs.", "skew", "scheduler",
			"jct_mean_s", dally, "skew of demand")
	}
	b := of(by, "patience")
	for _, fair := range b.Values("fair") {
		here := b.Where(func(c *sweep.Cell) bool { return c.Axes["fair"] == fair })
		here.Relative("patience_"+fair, "Completion time by who waits, "+order(fair)+".", digest.TenantAxis,
			"patience", "jct_mean_s", "all", "tenant")
		here.Means("patience_delay_"+fair, "Delay wait by who waits, "+order(fair)+".", digest.TenantAxis, "patience",
			"delay_wait_mean_s", "tenant")
	}
	return all.Figures()
}

// order names the order of the contest.
func order(fair string) string {
	if fair == "none" {
		return "Dally's order"
	}
	return "fair order"
}

// tenantMetric is what is drawn of tenants under each scheduler.
type tenantMetric struct{ name, caption, metric string }

// draw draws Dally's variants, and apart from them, since their numbers are of another size, the
// other schedulers.
func (m tenantMetric) draw(b *digest.Book, name, more string) {
	for _, of := range []struct {
		suffix, under string
		dally         bool
	}{{"", " under Dally", true}, {"_others", " under others", false}} {
		here := b.Where(func(c *sweep.Cell) bool { return isDally(c.Axes["scheduler"]) == of.dally })
		here.Means(m.name+"_"+name+of.suffix, m.caption+of.under+more, "scheduler", digest.TenantAxis, m.metric, "")
	}
}

func perTenant() []tenantMetric {
	return []tenantMetric{
		{"queue", "Queueing by tenant", "queue_mean_s"}, {"delay", "Delay wait by tenant", "delay_wait_mean_s"},
		{"delay_machine", "Delay wait for a machine", "delay_wait_machine_mean_s"},
		{"delay_rack", "Delay wait for a rack", "delay_wait_rack_mean_s"},
		{"excess", "Wait beyond a private cluster's", "excess_queue_mean_s"},
		{"ftf", "Finish-time fairness by tenant", "ftf_mean"},
	}
}

// inSweep reports whether a cell is one of a sweep of the question: each has axes that no other
// has.
func inSweep(c *sweep.Cell, name string) bool {
	has := func(axis string) bool { return c.Axes[axis] != "" }
	switch name {
	case "who":
		return has("sizes")
	case "skew":
		return has("skew")
	case "patience":
		return has("patience")
	}
	return has("load")
}
