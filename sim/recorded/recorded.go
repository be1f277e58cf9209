// Package recorded has what the cluster of a trace did with a job: how long the job waited, and on
// which machines it ran. It is what a scheduler is compared with, and no property of the job.
package recorded

import (
	"strconv"
	"strings"
)

// Run is the first run of a job in its trace.
type Run struct {
	// Wait is the time from the submit to the start in microseconds, >= 0.
	Wait int64
	// Machines names the machines, separated by commas, as Join writes them; "" = not recorded.
	Machines string
}

// Place is a machine of a run.
type Place struct {
	// Name is the trace's name of the machine.
	Name string
	// GPUs is the number of the job's GPUs there; 0 = not recorded.
	GPUs int
}

// MaxMachines is the longest text of machines in bytes.
const MaxMachines = 1 << 20

// maxGPUs bounds the GPUs of a place.
const maxGPUs = 1 << 20

// Join writes places as NAME or NAME*GPUs, separated by commas, each machine once, in the order in
// which they come first. Where some place of a machine has no number of GPUs, the machine has none.
func Join(places []Place) string {
	var out []Place
	at := make(map[string]int, len(places))
	for _, p := range places {
		i, ok := at[p.Name]
		if !ok {
			at[p.Name] = len(out)
			out = append(out, p)
			continue
		}
		if p.GPUs == 0 || out[i].GPUs == 0 {
			out[i].GPUs = 0
			continue
		}
		out[i].GPUs += p.GPUs
	}
	var b strings.Builder
	for i, p := range out {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(p.Name)
		if p.GPUs > 0 {
			b.WriteByte('*')
			b.WriteString(strconv.Itoa(p.GPUs))
		}
	}
	return b.String()
}

// Places reads what Join writes. A star without a number of GPUs from 1 on behind it is a part of
// the name.
func (r *Run) Places() []Place { return Split(r.Machines) }

// Split reads a text of machines, whose names are separated by commas.
func Split(text string) []Place {
	var out []Place
	for one := range strings.SplitSeq(text, ",") {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		out = append(out, place(one))
	}
	return out
}

// place reads NAME or NAME*GPUs.
func place(text string) Place {
	at := strings.LastIndexByte(text, '*')
	if at < 1 {
		return Place{Name: text}
	}
	n, err := strconv.Atoi(text[at+1:])
	if err != nil || n < 1 || n > maxGPUs {
		return Place{Name: text}
	}
	return Place{Name: strings.TrimSpace(text[:at]), GPUs: n}
}
