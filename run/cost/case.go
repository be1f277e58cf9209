package cost

import (
	"fmt"

	"tarry/env/scenario"
	"tarry/run/config"
	"tarry/run/trial"
)

// Case is what a simulation runs on.
type Case struct {
	// Scheduler is a policy, NAME or NAME:key=value,...; Trace is FORMAT:PATH or synth:NAME.
	Scheduler, Trace string
	// Cluster is racks x machines x GPUs, such as 8x8x8.
	Cluster string
}

// Philly is the trace of Philly on 512 GPUs; path is its file.
func Philly(scheduler, path string) Case { return Case{scheduler, "philly:" + path, "8x8x8"} }

// Generated is so many generated jobs of the law of Philly, at a load of 0.9 of racks of 64 GPUs.
// They are drawn while the simulation runs.
func Generated(scheduler string, racks, jobs int) Case {
	return Case{scheduler, fmt.Sprintf("synth:philly,jobs=%d,gpus=%d,load=0.9", jobs, 64*racks),
		fmt.Sprintf("%dx8x8", racks)}
}

// trial builds the simulation under the speeds of collective.
func (c Case) trial(from scenario.Catalogues) (trial.Trial, error) {
	set := config.Default()
	set.Trace, set.Cluster, set.Speed, set.Policies, set.Streamed = c.Trace, c.Cluster, "collective",
		[]string{c.Scheduler}, true
	s, err := config.Build(set, from)
	if err != nil {
		return trial.Trial{}, err
	}
	return s.Trials()[0], nil
}

// Growing lists the schedulers of the table of growth: queue orders, and Dally beside them.
func Growing() []string {
	return []string{"fifo", "dally", "ranked", "easy", "sjf", "las", "tiresias", "tiresias-gittins", "srtf", "srsf",
		"gittins", "deadline-first"}
}
