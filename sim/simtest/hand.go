package simtest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tarry/sim"
	"tarry/sim/cluster"
)

// byHand is what a script's line "at" wants, beside its policies.
type byHand struct {
	at   sim.Time
	kind sim.DecisionKind
	job  string
	gpus []cluster.GPU
}

// handKinds are the decisions that a script may take.
func handKinds() []sim.DecisionKind {
	return []sim.DecisionKind{sim.Resize, sim.Migrate, sim.Lift, sim.Preempt}
}

// parseHand reads SECONDS DECISION JOB [GPUS].
func parseHand(words []string) (h byHand, err error) {
	if len(words) < 3 || len(words) > 4 {
		return h, fmt.Errorf("%q: expected at SECONDS resize|migrate|lift|preempt JOB [GPUS]", strings.Join(words, " "))
	}
	x, err := strconv.ParseFloat(words[0], 64)
	if err != nil {
		return h, fmt.Errorf("at is %q, expected a number", words[0])
	}
	at := slices.IndexFunc(handKinds(), func(k sim.DecisionKind) bool { return k.String() == words[1] })
	if at < 0 {
		return h, fmt.Errorf("%q: expected resize, migrate, lift or preempt", words[1])
	}
	h = byHand{at: sim.Seconds(x), kind: handKinds()[at], job: words[2]}
	if needs := h.kind == sim.Resize || h.kind == sim.Migrate; needs != (len(words) == 4) {
		return h, fmt.Errorf("%s of %q with %d lists of GPUs, expected %s", words[1], words[2], len(words)-3,
			map[bool]string{true: "one", false: "none"}[needs])
	}
	if len(words) == 4 {
		h.gpus, err = parseRanges(words[3])
	}
	return h, err
}

// parseRanges undoes ranges.
func parseRanges(text string) (out []cluster.GPU, err error) {
	for part := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(part, "-")
		a, err := strconv.Atoi(from)
		b := a
		if err == nil && isRange {
			b, err = strconv.Atoi(to)
		}
		if err != nil || b < a || b-a > 1<<16 {
			return nil, fmt.Errorf("GPUs %q: expected numbers and ranges such as 0-3,6", text)
		}
		for g := a; g <= b; g++ {
			out = append(out, cluster.GPU(g))
		}
	}
	return out, nil
}

// handed is a policy with decisions of a script after its own.
type handed struct {
	sim.Policy
	w    *sim.Workload
	by   []byHand // ascending
	done int
}

// handKey is the timer of the script, the last that there is.
const handKey = 1 << 10

// Decide implements sim.Policy.
func (h *handed) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = h.Policy.Decide(v, out)
	for ; h.done < len(h.by) && h.by[h.done].at <= v.Now(); h.done++ {
		b := &h.by[h.done]
		j := slices.IndexFunc(h.w.Jobs, func(j sim.Job) bool { return j.ID == b.job })
		out = append(out, sim.Decision{Kind: b.kind, Job: sim.JobID(j), GPUs: b.gpus})
	}
	if h.done < len(h.by) {
		out = append(out, sim.Decision{Kind: sim.WakeAt, Key: handKey, At: h.by[h.done].at})
	}
	return out
}
