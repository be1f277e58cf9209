package simtest

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"tarry/sim"
)

// Transcript runs a policy and gives the run as a table to read: a row per event or decision with
// the time, what happened, what the policy decided, and, after the decisions of an instant, the
// free GPUs and the waiting jobs. It uses only what Engine offers, so that a row is what the kernel
// did.
func Transcript(cfg sim.Config, p sim.Policy) (string, error) {
	e, err := sim.New(cfg)
	if err != nil {
		return "", err
	}
	e.Permit(p.Knows())
	var b strings.Builder
	rows := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	fmt.Fprintln(rows, "time\tevent\tdecision\tfree\twaiting")
	var out []sim.Decision
	for {
		v, ok, err := e.Next()
		if err != nil {
			return b.String(), err
		}
		if !ok {
			break
		}
		events := eventWords(cfg.Workload, v.Events())
		out = p.Decide(v, out[:0])
		decisions := make([]string, len(out))
		for i := range out {
			decisions[i] = decisionWords(cfg.Workload, &out[i])
		}
		now := v.Now()
		if err := e.Apply(out); err != nil {
			return b.String(), err
		}
		writeInstant(rows, now.String(), events, decisions, fmt.Sprintf("%d\t%s", e.Gauge().Free,
			waitingWords(cfg.Workload, e)))
	}
	if err := rows.Flush(); err != nil {
		return "", err
	}
	return trimLines(b.String()) + endWords(cfg.Workload, e), nil
}

// writeInstant writes the rows of one instant; the state stands in the last of them.
func writeInstant(rows *tabwriter.Writer, at string, events, decisions []string, state string) {
	if len(decisions) == 0 {
		decisions = []string{"-"}
	}
	for i := range max(len(events), len(decisions)) {
		event, decision, after := "", "", "\t"
		if i < len(events) {
			event = events[i]
		}
		if i < len(decisions) {
			decision = decisions[i]
		}
		if i == max(len(events), len(decisions))-1 {
			after = state
		}
		fmt.Fprintf(rows, "%s\t%s\t%s\t%s\n", at, event, decision, after)
		at = ""
	}
}

func eventWords(w *sim.Workload, evs []sim.Event) []string {
	var s []string
	for _, ev := range evs {
		switch {
		case ev.Kind == sim.Timer:
			s = append(s, fmt.Sprintf("timer %d", ev.Key))
		case ev.Job == sim.NoJob:
			s = append(s, "unit: "+ev.Kind.String())
		default:
			s = append(s, w.Jobs[ev.Job].ID+": "+ev.Kind.String())
		}
	}
	return s
}

// decisionWords gives a decision with its fields that are set.
func decisionWords(w *sim.Workload, d *sim.Decision) string {
	switch d.Kind {
	case sim.WakeAt:
		if d.At == sim.Never {
			return fmt.Sprintf("cancel timer %d", d.Key)
		}
		return fmt.Sprintf("timer %d at %v", d.Key, d.At)
	case sim.Cordon, sim.Uncordon, sim.PowerOff, sim.PowerOn:
		return fmt.Sprintf("%v machine %d", d.Kind, d.Machine)
	}
	s := d.Kind.String() + " " + w.Jobs[d.Job].ID
	if d.Kind == sim.Watch {
		switch {
		case d.Bound == sim.Never:
			return s + ": cancel"
		case d.Counter == sim.Service:
			return fmt.Sprintf("%s until %v of GPU-time", s, d.Bound)
		case d.Counter == sim.Progress:
			return fmt.Sprintf("%s until %v of work", s, d.Bound)
		}
		return fmt.Sprintf("%s until %v of running", s, d.Bound)
	}
	if len(d.GPUs) > 0 {
		s += " on " + ranges(d.GPUs)
	}
	for _, x := range []struct {
		name string
		set  bool
		v    any
	}{{"lease", d.Lease > 0, d.Lease}, {"delay", d.Delay > 0, d.Delay}, {"share", d.ShareMilli > 0, d.ShareMilli},
		{"clock", d.FreqFrac > 0, d.FreqFrac},
		{"batch", d.Batch > 0, d.Batch}, {"cpu", d.CPUMilli > 0, d.CPUMilli}, {"memory", d.MemMiB > 0, d.MemMiB},
		{"GPU memory", d.GPUMiB > 0, d.GPUMiB}, {"instance", d.Instance > 0, d.Instance},
		{"link weight", d.LinkWeight > 0, d.LinkWeight}, {"link level", d.LinkLevel > 0, d.LinkLevel},
		{"path", d.Path > 0, d.Path}, {"pace", d.Pace > 0, d.Pace}} {
		if x.set {
			s += fmt.Sprintf(", %s %v", x.name, x.v)
		}
	}
	return s
}

// waitingWords names the jobs that wait, and jobs that still write a checkpoint.
func waitingWords(w *sim.Workload, e *sim.Engine) string {
	var names []string
	for id := range w.Jobs {
		switch e.Record(sim.JobID(id)).State {
		case sim.Waiting:
			names = append(names, w.Jobs[id].ID)
		case sim.Draining:
			names = append(names, w.Jobs[id].ID+" (draining)")
		}
	}
	return strings.Join(names, " ")
}

// endWords sums the run up: the mean completion time and what it cost.
func endWords(w *sim.Workload, e *sim.Engine) string {
	var total, queue, overhead sim.Time
	done, preemptions, migrations := 0, 0, 0
	for id := range w.Jobs {
		r := e.Record(sim.JobID(id))
		preemptions, migrations = preemptions+int(r.Preemptions), migrations+int(r.Migrations)
		if r.State == sim.Done {
			done++
			total, queue, overhead = total+r.End-w.Jobs[id].Submit, queue+r.Queue, overhead+r.Overhead
		}
	}
	n := sim.Time(max(done, 1))
	return fmt.Sprintf("\n%d of %d jobs done at %v; mean time to completion %v, of it waiting %v, overhead %v; %d "+
		"preemptions, %d migrations\n",
		done, len(w.Jobs), e.Now(), total/n, queue/n, overhead/n, preemptions, migrations)
}

func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
