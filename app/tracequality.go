package app

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"tarry/env/scenario"
	"tarry/sim"
	"tarry/sim/account"
	"tarry/sim/cluster"
	"tarry/traces/quality"
)

// clusterOf reads the flag --cluster; nil = it is not given.
func (from program) clusterOf(c *cli.Context) (*cluster.Topology, error) {
	name := c.String("cluster")
	if name == "" {
		return nil, nil
	}
	found, report, err := scenario.FindCluster(from.Catalogues.Catalogues, name)
	if err != nil {
		return nil, usageError{fmt.Errorf("--cluster: %w", err)}
	}
	if report != nil {
		fmt.Fprint(c.App.ErrWriter, report)
	}
	top, err := cluster.New(found.Spec)
	if err != nil {
		return nil, usageError{fmt.Errorf("--cluster: %w", err)}
	}
	return top, nil
}

// gpusOf counts the GPUs of a cluster, 0 where there is none.
func gpusOf(top *cluster.Topology) int {
	if top == nil {
		return 0
	}
	return top.GPUs()
}

// qualityOf gives the findings of a trace; a generated one has none but of its jobs.
func qualityOf(w *sim.Workload, report *account.Report, top *cluster.Topology) []quality.Finding {
	return quality.Of(quality.Trace{Workload: w, Report: report, Cluster: top})
}
