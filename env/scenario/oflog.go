package scenario

import (
	"fmt"
	"math"

	"tarry/sim"
	"tarry/sim/preset"
)

// OfLog is the name of the cluster that a log is of: one rack of machines of one GPU, as many as
// the log's machine has processors, between which placement makes no difference. Without a model of
// speed, that is counting.
const OfLog = "log"

// loadOfLog is the load at which jobs are run where a log does not state how large its machine is.
const loadOfLog = 0.85

// countsOfLog sets the model of speed for OfLog, where none is given.
func (c *Scenario) countsOfLog() {
	if c.Inline == nil && c.Cluster == OfLog && !c.given("speed") {
		c.Speed = "counting"
	}
}

// ofLog is the cluster of the scenario's trace: as many GPUs as the header of a log in the Standard
// Workload Format has processors; where nothing states that, enough that jobs keep 85 % of them
// busy. It has room for the largest job in either case.
func (s *Setup) ofLog() (preset.Cluster, error) {
	c := &s.Scenario
	f, _, _ := s.from.Traces.Find(c.Trace)
	if c.Trace == "" || f.Generated {
		return preset.Cluster{}, wrong("cluster", "cluster is %s with generated jobs, expected RxMxG: it is the "+
			"cluster of a trace that was recorded", OfLog)
	}
	w, report, err := c.open(s.from.Traces, 0)
	if err != nil {
		return preset.Cluster{}, wrong("trace", "trace: %w", err)
	}
	s.opened, s.places = w, report.Models
	stated := report.Processors
	n, busy := processors(w, stated)
	p, err := preset.Lookup(fmt.Sprintf("1x%dx1", n))
	if err != nil {
		return p, wrong("cluster", "%w", err)
	}
	p.Name = fmt.Sprintf("log-%d", n)
	said := "its header states so"
	if n != stated {
		said = fmt.Sprintf("enough for its largest job and a load of %v", loadOfLog)
	}
	s.Notes = append(s.Notes, fmt.Sprintf("cluster: %d GPUs without a network, as the trace is of: %s; its jobs "+
		"keep %.0f %% of them busy", n, said, 100*busy/float64(n)))
	return p, nil
}

// processors is the size of the machine of a log, and how many of them its jobs keep busy without a
// queue.
func processors(w *sim.Workload, stated int) (n int, busy float64) {
	largest := 0
	for i := range w.Jobs {
		largest = max(largest, int(w.Jobs[i].GPUs))
		busy += w.Jobs[i].Work.Seconds()
	}
	if first, last := w.Span(); first < last {
		busy /= (last - first).Seconds()
	} else { // all at once
		busy = 0
	}
	if n = stated; n == 0 {
		n = int(math.Ceil(busy / loadOfLog))
	}
	return max(1, largest, n), busy
}
