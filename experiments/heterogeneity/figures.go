package heterogeneity

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
	for _, demand := range all.Values("demand") {
		if b, ok := where(all, "demand", demand); ok && demand != "" {
			b.Means("jct_load_"+demand, "Mean completion time against the load, "+demands()[demand]+".", "load", "policy", "jct_mean_s", "load")
			b.Relative("jct_load_relative_"+demand, "Mean completion time of the same jobs, "+demands()[demand]+".", "load", "policy", "jct_mean_s", base, "load")
		}
	}
	if b, ok := where(all, "spread", ""); ok {
		b.Relative("jct_spread_relative", "Mean completion time by how differently models gain from a faster GPU.", "spread", "policy", "jct_mean_s", base, "spread of speeds")
	}
	if b, ok := where(all, "static", ""); ok {
		b.Means("makespan", "Makespan of jobs that are all there at the start.", "static", "policy", "makespan_s", "jobs")
		b.Relative("makespan_relative", "Makespan of the same jobs.", "static", "policy", "makespan_s", base, "jobs")
	}
	for _, links := range all.Values("links") {
		if b, ok := where(all, "links", links); ok && links != "" {
			b.Means("place_"+links, "Mean completion time on racks with "+links+" links.", "load", "policy", "jct_mean_s", "load")
			b.Relative("place_relative_"+links, "Mean completion time of the same jobs on racks with "+links+" links.", "load", "policy", "jct_mean_s", "dally", "load")
		}
	}
	return all.Figures()
}

// where is the part of a book whose cells have a value on an axis that one sweep alone has; "" = any value.
func where(all *digest.Book, axis, value string) (*digest.Book, bool) {
	b := all.Where(func(c *sweep.Cell) bool { return c.Axes[axis] != "" && (value == "" || c.Axes[axis] == value) })
	return b, len(b.Values("policy")) > 0
}

// demands says in words what jobs ask for.
func demands() map[string]string {
	return map[string]string{"single": "jobs of one GPU", "multiple": "jobs of one to eight GPUs"}
}
