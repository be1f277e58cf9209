package slurmnodes

import (
	"fmt"
	"slices"
	"strings"

	"tarry/traces/nodes"
)

// record is what is read of one node.
type record struct {
	name             string
	line             int
	gpus             []nodes.GPUs
	cpuMilli, memMiB int64
	partitions       []string
	state            string
}

// cluster gathers records, of which several may be about one node, and racks.
type cluster struct {
	l       *nodes.List
	records []record
	at      map[string]int
	racks   map[string]string
}

func newCluster(l *nodes.List) *cluster {
	return &cluster{l: l, at: map[string]int{}, racks: map[string]string{}}
}

// join adds a record, or its partition to one about the same node.
func (c *cluster) join(r record) error {
	i, ok := c.at[r.name]
	if !ok {
		c.at[r.name] = len(c.records)
		r.partitions = slices.Clone(r.partitions)
		c.records = append(c.records, r)
		return nil
	}
	have := &c.records[i]
	if !slices.Equal(have.gpus, r.gpus) || have.cpuMilli != r.cpuMilli || have.memMiB != r.memMiB {
		return c.l.Fault(r.line, "NODELIST", r.name, fmt.Sprintf("the same GPUs, CPUs and memory as on line %d",
			have.line))
	}
	for _, p := range r.partitions {
		if !slices.Contains(have.partitions, p) {
			have.partitions = append(have.partitions, p)
		}
	}
	return nil
}

// add gives all nodes to the list.
func (c *cluster) add() error {
	var names []string
	count := map[string]int{}
	unused := 0
	for _, r := range c.records {
		n := nodes.Node{Name: r.name, Line: r.line, GPUs: r.gpus, CPUMilli: r.cpuMilli, MemMiB: r.memMiB,
			Partitions: r.partitions, Rack: c.racks[r.name], Down: down(r.state)}
		if err := c.l.Add(n); err != nil {
			return err
		}
		for _, p := range r.partitions {
			if count[p]++; count[p] == 1 {
				names = append(names, p)
			}
		}
	}
	for name := range c.racks {
		if _, ok := c.at[name]; !ok {
			unused++
		}
	}
	if unused > 0 {
		c.l.Note("%d nodes of the topology are not in the list of nodes", unused)
	}
	if len(names) > 1 {
		parts := make([]string, 0, 12)
		for i, p := range names {
			if i == 10 {
				parts = append(parts, fmt.Sprintf("and %d more", len(names)-i))
				break
			}
			parts = append(parts, fmt.Sprintf("%s (%d)", p, count[p]))
		}
		c.l.Note("nodes by partition: %s; partition=NAME keeps one", strings.Join(parts, ", "))
	}
	return nil
}

// down gives the state of a node that takes no jobs, and "" for others. sinfo abbreviates states
// and puts marks behind them, scontrol joins flags to them by +.
func down(state string) string {
	mark := strings.Contains(state, "*")
	for part := range strings.FieldsFuncSeq(strings.ToLower(state), func(r rune) bool { return r == '+' || r == ' ' }) {
		part = strings.TrimRight(part, "*~#!%$@^-")
		switch part {
		case "down", "drain", "drained", "draining", "drng", "fail", "failing", "failg", "error", "err", "unknown", "unk",
			"inval", "not_responding", "no_respond", "maint", "future", "futr":
			return part
		}
	}
	if mark {
		return "not responding"
	}
	return ""
}
