package paper

import (
	"context"

	"tarry/experiments/digest"
	"tarry/experiments/rivals"
	"tarry/experiments/sweep"
	"tarry/output/results"
)

func figures(ctx context.Context, d *sweep.Data) ([]sweep.Figure, error) {
	b, err := digest.OpenBook(ctx, d)
	if err != nil {
		return nil, err
	}
	if b, err = b.Chosen("list", "policy", "jct_mean_s", families(), rivals.Validates); err != nil {
		return nil, err
	}
	b.Means("makespan", "Makespan by list and policy.", "list", "policy", "makespan_s", "list of jobs")
	b.Means("jct_mean", "Mean completion time by list and policy.", "list", "policy", "jct_mean_s", "list of jobs")
	b.Relative("makespan_relative", "Makespan against a scheduler that waits for one machine.", "list", "policy",
		"makespan_s", "consolidate", "list of jobs")
	b.Relative("jct_relative", "Mean completion time against a scheduler that waits for one machine.", "list",
		"policy", "jct_mean_s", "consolidate", "list of jobs")
	b.Profile("profile", "Share of runs within a factor of the best mean completion time.", "list", "policy",
		"jct_mean_s", "runs")
	b.Means("comm_frac", "Share of running time spent in exposed communication.", "list", "policy", "comm_frac",
		"list of jobs")
	for _, list := range b.Values("list") {
		of := func(c *sweep.Cell) bool { return c.Axes["list"] == list }
		b.CDF(ctx, "jct_cdf_"+list, "Completion times of all jobs, "+list+" list.", "policy", "job completion time (h)",
			of, func(j *results.Job) float64 { return j.JCT / 3600 })
	}
	for _, policy := range []string{"dally", "dally-nowait"} {
		b.Timeline(ctx, "timeline_"+policy, "Who holds the GPUs under "+policy+", by level of the placement.",
			func(c *sweep.Cell) bool { return c.Axes["list"] == b.Values("list")[0] && c.Axes["policy"] == policy })
	}
	return b.Figures()
}
