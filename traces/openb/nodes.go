package openb

import (
	"tarry/sim/account"
	"tarry/sim/entry"
	"tarry/sim/preset"
	"tarry/sim/tabular"
	"tarry/traces/nodes"
)

// Nodes reads the trace's list of nodes as a cluster: CSV with the columns sn, cpu_milli,
// memory_mib, gpu and model. Models are spelled as in the pods' gpu_spec.
func Nodes(path string, opt entry.ClusterOptions) (preset.Cluster, *account.Report, error) {
	return nodes.File(path, opt, parseNodes)
}

func parseNodes(in *tabular.Stream, l *nodes.List) error {
	rows := tabular.NewReader(l.Name(), in)
	if err := rows.Header("sn", "cpu_milli", "memory_mib", "gpu", "model"); err != nil {
		return err
	}
	return nodes.Rows(rows, l, func(row *tabular.Row) nodes.Node {
		return nodes.Node{Name: row.Text("sn"), CPUMilli: row.Count("cpu_milli", 0, 1_000_000_000),
			MemMiB: row.Count("memory_mib", 0, 1_000_000_000),
			GPUs:   []nodes.GPUs{{Type: row.Text("model"), Count: int(row.Count("gpu", 0, nodes.MaxPerNode))}}}
	})
}
