package sim

// Knowledge is what a policy declares it may read about jobs beyond what they ask for.
type Knowledge uint8

const (
	// KnowNothing is the zero value: demands, models, owners and what was observed.
	KnowNothing Knowledge = 0
	// KnowEstimate gives an estimate of each job's work, with the error that the run states.
	KnowEstimate Knowledge = 1
	// KnowWork gives each job's true work, done and left.
	KnowWork Knowledge = 2
	// KnowHistory gives a sample of the work of earlier jobs.
	KnowHistory Knowledge = 4
	// KnowSpeed gives the speed that the speed model would give on an allocation.
	KnowSpeed Knowledge = 8
)

// String lists what is known, for catalogues.
func (k Knowledge) String() string {
	s := ""
	for i, n := range [...]string{"estimate", "work", "history", "speed"} {
		if k&(1<<i) != 0 {
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

// Policy is a scheduler: the one seam through which baselines and frozen agents are
// measured. A Policy belongs to one run and may keep state between calls.
type Policy interface {
	// Knows declares what the policy may read. View gives it no more.
	Knows() Knowledge
	// Decide is called once per instant at which something happened. It appends its
	// decisions to out and returns it. It may Take and Release on v.Free() while it
	// plans; the kernel rolls that back.
	Decide(v *View, out []Decision) []Decision
}
