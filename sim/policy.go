package sim

// Knowledge is what a policy declares it may read about jobs beyond what they ask for.
type Knowledge uint8

const (
	// KnowNothing is the zero value: demands, models, owners and the times that a cluster measures.
	KnowNothing Knowledge = 0
	// KnowEstimate gives an estimate of each job's work, with the error that the run states.
	KnowEstimate Knowledge = 1
	// KnowWork gives each job's true work and how much of it is left, and so when the job ends. It
	// is clairvoyant: it exists only in a simulation. It includes KnowDone.
	KnowWork Knowledge = 2
	// KnowHistory gives a sample of the work of earlier jobs.
	KnowHistory Knowledge = 4
	// KnowSpeed gives the speed that the speed model would give on an allocation.
	KnowSpeed Knowledge = 8
	// KnowDone gives the work that each job has done so far and the length of its iterations: its
	// progress, which any cluster observes.
	KnowDone Knowledge = 16
	// KnowProgress gives what running jobs measure of themselves (RunInfo.Telemetry), the next mark of
	// a job, and what KnowDone gives.
	KnowProgress Knowledge = 32
	// KnowProfile gives the GPU memory and utilisation of jobs that have not run yet; the figures
	// of jobs that have run are public, as any cluster measures them.
	KnowProfile Knowledge = 64
)

// Clairvoyant reports whether the work that is left is known.
func (k Knowledge) Clairvoyant() bool { return k&KnowWork != 0 }

// String lists what is known, for catalogues and tables: some of done, estimate, work, history,
// speed, progress and profile, joined by +, or "nothing". What is clairvoyant has work in it.
func (k Knowledge) String() string {
	s := ""
	for _, one := range [...]struct {
		know Knowledge
		name string
	}{{KnowDone, "done"}, {KnowEstimate, "estimate"}, {KnowWork, "work"}, {KnowHistory, "history"},
		{KnowSpeed, "speed"}, {KnowProgress, "progress"}, {KnowProfile, "profile"}} {
		if n := one.name; k&one.know != 0 {
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
