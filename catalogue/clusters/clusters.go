// Package clusters lists the formats of files of nodes from which tarry reads a cluster, under one
// spelling, FORMAT:PATH.
//
// Reading guide: All lists the formats, each with the test by which a file is recognised. The readers
// are packages below traces, and traces/nodes is what they share.
package clusters

import (
	"tarry/sim/entry"
	"tarry/traces/batsim"
	"tarry/traces/k8s"
	"tarry/traces/openb"
	"tarry/traces/slurmnodes"
)

// All lists the formats that tarry ships.
func All() entry.Clusters {
	return entry.Clusters{
		{Name: "openb", Doc: "Alibaba GPU 2023: node list CSV", Open: openb.Nodes,
			Fits: func(h *entry.Head) bool { return h.Has("sn", "cpu_milli", "memory_mib", "gpu", "model") }},
		{Name: "sinfo", Doc: "Slurm: what sinfo -N -o \"%N|%P|%G|%c|%m|%T\" prints, other columns too, or its --json",
			Open: slurmnodes.Sinfo, Fits: slurmnodes.FitsSinfo},
		{Name: "scontrol", Doc: "Slurm: what scontrol show nodes prints, with the racks of scontrol show topology if " +
			"that stands in the file too", Open: slurmnodes.Scontrol, Fits: slurmnodes.FitsScontrol},
		{Name: "k8s", Doc: "Kubernetes: what kubectl get nodes -o json prints", Open: k8s.Nodes, Fits: k8s.FitsNodes},
		{Name: "batsim", Doc: "Batsim and SimGrid: a platform in XML, a host taken as a GPU", Open: batsim.Platform,
			Fits: batsim.FitsPlatform},
	}
}
