// Package know has the permissions of policies: what a scheduler may read about jobs beyond what
// they ask for.
package know

import (
	"fmt"
	"slices"
	"strings"
)

// Set is a set of permissions, one bit each. A policy declares one, and a view opens no more.
type Set uint16

const (
	// Nothing is the zero value: demands, models, owners and the times that a cluster measures.
	Nothing Set = 0
	// Estimate opens an estimate of each job's work, with the error that the run states.
	Estimate Set = 1
	// Work opens each job's true work and how much of it is left, and so when the job ends. It is
	// clairvoyant: it exists only in a simulation. It includes Done.
	Work Set = 2
	// History opens a sample of the work of earlier jobs.
	History Set = 4
	// Speed opens the speed that the speed model would give on an allocation.
	Speed Set = 8
	// Done opens the work that each job has done so far and the length of its iterations: its
	// progress, which any cluster observes.
	Done Set = 16
	// Progress opens what running jobs measure of themselves (sim.RunInfo.Telemetry), the next mark
	// of a job, and what Done opens.
	Progress Set = 32
	// Profile opens the GPU memory and utilisation of jobs that have not run yet; the figures of
	// jobs that have run are public, as any cluster measures them.
	Profile Set = 64
	// Record opens what the scheduler of the trace's own cluster did: when each job started and on
	// which machines. Only a replay of that scheduler has it.
	Record Set = 128
	// Series opens the price of energy, its carbon intensity and the power cap of times to come, which
	// are public a day ahead.
	Series Set = 256
)

// Clairvoyant reports whether the work that is left is known.
func (k Set) Clairvoyant() bool { return k&Work != 0 }

// String lists what is known, for catalogues and tables: some of done, estimate, work, history,
// speed, progress, profile, record and series, joined by +, or "nothing". What is clairvoyant has work in it.
func (k Set) String() string {
	s := ""
	for _, one := range named() {
		if n := one.name; k&one.bit != 0 {
			if s != "" {
				s += "+"
			}
			s += n
		}
	}
	if s == "" {
		return "nothing"
	}
	return s
}

// permission is a bit of a Set with its name.
type permission struct {
	bit  Set
	name string
}

func named() [9]permission {
	return [...]permission{{Done, "done"}, {Estimate, "estimate"}, {Work, "work"}, {History, "history"},
		{Speed, "speed"}, {Progress, "progress"}, {Profile, "profile"}, {Record, "record"}, {Series, "series"}}
}

// Parse gives the set of some names, as String writes them one by one.
func Parse(names []string) (k Set, err error) {
	var all []string
	for _, one := range named() {
		all = append(all, one.name)
	}
	for _, name := range names {
		i := slices.Index(all, name)
		if i < 0 {
			return k, fmt.Errorf("permission %q, expected some of %s", name, strings.Join(all, ", "))
		}
		k |= named()[i].bit
	}
	return k, nil
}
