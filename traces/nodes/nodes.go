// Package nodes turns lists of machines, as schedulers, simulators and traces print them, into
// clusters. Each format of such files is a reader that adds nodes to a List; the List checks them,
// makes racks, and keeps the account of what was read, left out and taken by a rule.
//
// A list of nodes is hardware that an experiment rests on: a wrong row is an error, and all wrong
// rows are reported together. Nodes without a GPU are left out and counted, and so are nodes that
// are down, unless the options keep them.
//
// Reading guide. Node is one machine, List gathers them, Cluster (racks.go) makes the cluster,
// File (file.go) opens what a reader reads.
package nodes

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"tarry/sim/account"
	"tarry/sim/entry"
	"tarry/sim/network"
	"tarry/sim/tabular"
)

// GPUs are some GPUs of a node that are alike.
type GPUs struct {
	// Type is the GPU type as the file spells it; "" = not stated.
	Type string
	// Count is how many.
	Count int
	// MIG is the device of sim/mig whose instances they may be cut into; "" = none.
	MIG string
}

// Node is one machine.
type Node struct {
	// Name is its name, unique in the list.
	Name string
	// Line is where it stands in the file.
	Line int
	// GPUs are its GPUs by type.
	GPUs []GPUs
	// CPUMilli, MemMiB and GPUMiB (of each GPU) are 0 where the file does not state them.
	CPUMilli, MemMiB, GPUMiB int64
	// Rack is the rack or switch; "" = not stated.
	Rack string
	// Group bounds racks that are not stated: nodes of two groups do not share one.
	Group string
	// Partitions are the scheduler's partitions with the node in them; nil = not stated.
	Partitions []string
	// Down is the state of a node that takes no jobs, such as drained; "" = it does.
	Down string
}

// The bounds of a list.
const (
	maxNodes  = 1 << 20
	maxFaults = 20
	maxName   = 1 << 10
	// MaxPerNode is the most GPUs of one node.
	MaxPerNode = 64
	// maxMilli bounds CPUMilli, MemMiB and GPUMiB.
	maxMilli = int64(1) << 50
)

// List gathers the nodes of one file.
type List struct {
	name   string
	opt    entry.ClusterOptions
	nodes  []Node
	at     map[string]int
	faults []*tabular.Fault
	report account.Report
	// fabric is the network that the file states, nil = none; links where it is from.
	fabric *network.Fabric
	links  string
}

// New starts the list of the named file.
func New(name string, opt entry.ClusterOptions) *List {
	return &List{name: name, opt: opt, at: map[string]int{}, report: account.Report{Source: name, Unit: "nodes"}}
}

// Name is the file's, for errors.
func (l *List) Name() string { return l.name }

// Note adds a remark to the account.
func (l *List) Note(format string, args ...any) {
	l.report.Notes = append(l.report.Notes, fmt.Sprintf(format, args...))
}

// Network states the network that the file describes, and where in the file it is from.
func (l *List) Network(f network.Fabric, from string) { l.fabric, l.links = &f, from }

// Find gives the node of a name that was added, to be completed; nil = there is none.
func (l *List) Find(name string) *Node {
	if i, ok := l.at[name]; ok {
		return &l.nodes[i]
	}
	return nil
}

// Fault notes that a field of a line is wrong. The error is not nil when reading must end.
func (l *List) Fault(line int, field, value, want string) error {
	return l.Faults(&tabular.Fault{File: l.name, Line: line, Column: field, Value: value, Want: want})
}

// Faults notes what is wrong with a row.
func (l *List) Faults(faults ...*tabular.Fault) error {
	l.faults = append(l.faults, faults...)
	if len(l.faults) >= maxFaults {
		return l.err()
	}
	return nil
}

// err joins the first faults.
func (l *List) err() error {
	if len(l.faults) < maxFaults {
		return tabular.Join(l.faults)
	}
	return errors.Join(tabular.Join(l.faults[:maxFaults]), fmt.Errorf("%s: reading stopped after %d faults", l.name,
		maxFaults))
}

// Skip leaves a row out for a reason that is normal for the format.
func (l *List) Skip(line int, reason string) {
	l.report.Rows++
	l.report.Count(reason, fmt.Sprintf("%s:%d", l.name, line), false)
}

// Add takes a node. The error is not nil when reading must end. A node without a GPU, and one that
// is down, is left out when the cluster is made, so that rows about a node may come in any order.
func (l *List) Add(n Node) error {
	count := 0
	for _, g := range n.GPUs {
		count += min(max(g.Count, 0), MaxPerNode+1)
	}
	_, twice := l.at[n.Name]
	reject := func(format string, args ...any) error {
		return l.Faults(&tabular.Fault{File: l.name, Line: n.Line, Want: fmt.Sprintf(format, args...)})
	}
	switch {
	case len(l.nodes) == maxNodes:
		return fmt.Errorf("%s:%d: more than %d nodes, expected fewer", l.name, n.Line, maxNodes)
	case n.Name == "" || len(n.Name) > maxName || !utf8.ValidString(n.Name):
		return reject("the name of the node has %d bytes, expected 1 to %d of UTF-8 text", len(n.Name), maxName)
	case twice:
		return reject("node %q appears twice, expected unique names", n.Name)
	case count > MaxPerNode:
		return reject("node %q has more than %d GPUs, expected at most as many", n.Name, MaxPerNode)
	case min(n.CPUMilli, n.MemMiB, n.GPUMiB) < 0 || max(n.CPUMilli, n.MemMiB, n.GPUMiB) > maxMilli:
		return reject("node %q has %d thousandths of a core, %d MiB and %d MiB on each GPU, expected 0 to %d", n.Name,
			n.CPUMilli, n.MemMiB, n.GPUMiB, maxMilli)
	}
	l.report.Rows++
	l.at[n.Name] = len(l.nodes)
	l.nodes = append(l.nodes, n)
	return nil
}

// title is the name of a cluster: the file's, without its folder and ending.
func title(path string) string {
	name := filepath.Base(path)
	for _, end := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, end)
	}
	return strings.TrimSuffix(name, filepath.Ext(name))
}
