package k8s

import (
	"encoding/json"
	"fmt"
	"strings"

	"tarry/sim/account"
	"tarry/sim/entry"
	"tarry/sim/preset"
	"tarry/sim/tabular"
	"tarry/traces/nodes"
)

// text is a text of the file.
type text = tabular.Text

// Nodes reads what kubectl get nodes -o json prints as a cluster.
func Nodes(path string, opt entry.ClusterOptions) (preset.Cluster, *account.Report, error) {
	return nodes.File(path, opt, readNodes)
}

// FitsNodes recognises a list of nodes.
func FitsNodes(h *entry.Head) bool {
	return h.Lists("items", "apiVersion", "status") && (strings.Contains(h.Text, `"allocatable"`) ||
		strings.Contains(h.Text, `"capacity"`))
}

// node is what is read of a node.
type node struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Name   string            `json:"name"`
		Labels map[string]string `json:"labels"`
	} `json:"metadata"`
	Spec struct {
		Unschedulable bool `json:"unschedulable"`
		Taints        []struct {
			Key    string `json:"key"`
			Effect string `json:"effect"`
		} `json:"taints"`
	} `json:"spec"`
	Status struct {
		Allocatable resources `json:"allocatable"`
		Capacity    resources `json:"capacity"`
		Conditions  []struct {
			Type   string `json:"type"`
			Status string `json:"status"`
		} `json:"conditions"`
	} `json:"status"`
}

func readNodes(in *tabular.Stream, l *nodes.List) error {
	tainted, any := 0, false
	err := tabular.Document(l.Name(), in, func(key, _ string, line int, value json.RawMessage) error {
		if key != "items" {
			return nil
		}
		any = true
		var n node
		if err := json.Unmarshal(value, &n); err != nil {
			return l.Fault(line, "items", short(value), fmt.Sprintf("a Node (%v)", err))
		}
		if n.Kind != "" && n.Kind != "Node" {
			return l.Fault(line, "kind", n.Kind, "Node, as kubectl get nodes -o json prints it")
		}
		for _, t := range n.Spec.Taints {
			if t.Effect != "PreferNoSchedule" && n.down() == "" {
				tainted++
				break
			}
		}
		return n.add(l, line)
	})
	if err != nil {
		return err
	}
	if !any {
		return fmt.Errorf("%s: no list \"items\" with a node, expected the output of kubectl get nodes -o json", l.Name())
	}
	if tainted > 0 {
		l.Note("%d nodes have taints, which are not read: every job may run there", tainted)
	}
	return nil
}

func short(value json.RawMessage) string {
	const most = 60
	if len(value) > most {
		return string(value[:most]) + "..."
	}
	return string(value)
}

// down is why the node takes no pods; "" = it does.
func (n *node) down() string {
	if n.Spec.Unschedulable {
		return "cordoned"
	}
	for _, c := range n.Status.Conditions {
		if c.Type == "Ready" && c.Status != "True" {
			return "not ready"
		}
	}
	return ""
}

// rack is the value of a label that names the rack, or of the nearest switch on AWS.
func (n *node) rack() string {
	best, value := "", ""
	for key, v := range n.Metadata.Labels {
		last := strings.ToLower(key[strings.LastIndex(key, "/")+1:])
		if (strings.HasSuffix(last, "rack") || key == "topology.k8s.aws/network-node-layer-3") && v != "" &&
			(best == "" || key < best) {
			best, value = key, v
		}
	}
	return value
}

func (n *node) add(l *nodes.List, line int) error {
	have := n.Status.Allocatable
	if len(have) == 0 {
		have = n.Status.Capacity
	}
	labels := n.Metadata.Labels
	out := nodes.Node{Name: n.Metadata.Name, Line: line, Rack: n.rack(), Group: labels["topology.kubernetes.io/zone"],
		Down: n.down()}
	for _, pool := range []string{"cloud.google.com/gke-nodepool", "eks.amazonaws.com/nodegroup", "agentpool"} {
		if v := labels[pool]; v != "" {
			out.Partitions = append(out.Partitions, v)
		}
	}
	var wrong string
	var ok bool
	if out.GPUs, wrong = have.ofNode(labels); wrong != "" {
		return l.Fault(line, wrong, string(have[wrong]), "a whole number of GPUs, or instances of a MIG profile")
	}
	if out.CPUMilli, ok = have.amount("cpu", 1e-3); !ok {
		return l.Fault(line, "cpu", string(have["cpu"]), "cores, such as 64 or 31850m")
	}
	if out.MemMiB, ok = have.amount("memory", 1<<20); !ok {
		return l.Fault(line, "memory", string(have["memory"]), "bytes, such as 263Gi")
	}
	if len(out.GPUs) == 1 && out.GPUs[0].MIG == "" {
		out.GPUMiB, _ = resources{"m": text(labels["nvidia.com/gpu.memory"])}.amount("m", 1)
	}
	return l.Add(out)
}
