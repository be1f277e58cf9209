package results

import (
	"fmt"
	"strings"
)

// setting is a workload on a cluster: what agents are trained and measured on.
type setting struct {
	// name is WORKLOAD-GPUS-SPEED.
	name, workload string
	gpus           int
	speed          string
	// options are the environment's options, except for its part and for common.
	options string
	// large states that a window costs much more than on 64 GPUs: agents are trained for fewer
	// steps.
	large bool
}

// common are the options of all environments: what preemption costs.
const common = "checkpoint_s=5,restore_s=10"

// The traces: Philly with the models of the paper (tarry reproduce order --data), and the paper's
// own two lists.
const (
	phillyTrace = "trace=csv:build/results/philly.csv"
	batchTrace  = "trace=artistsim:../shared/traces/artist-sim/sense_500jobs_0start0arrival-withBert.json"
	weekTrace   = "trace=artistsim:../shared/traces/artist-sim/sense_500jobs_poisson_1proc-week.json"
)

// settings are seven workloads on 64 and 512 GPUs at two models of speed, the first figure's first.
// The cuts were chosen so that under Dally jobs wait for a real part of their time, and a window
// costs milliseconds on 64 GPUs and less than a fifth of a second on 512.
//
//   - synth-LOAD: Poisson arrivals, drawn anew for each window: half a day of warm-up and two days.
//     Windows of half a day have hardly a queue on 512 GPUs, and an agent that preempts may not be
//     asked at all; below load 0.9 nothing waits there in longer ones either.
//   - philly on 64 GPUs: the trace three times as fast, since Philly's own load of 374 GPUs is
//     mostly from a few jobs of days, which windows of days do not see; in four classes, so that
//     each has the load of these GPUs and there are four times as many windows. A window begins
//     empty, is full after half a day, and lasts for 29 hours. Three jobs of 128 GPUs are refused,
//     wherever they fall.
//   - philly on 512 GPUs: 30 windows without a job in common would have a thirtieth of a part each,
//     which does not fill 512 GPUs at any rate. Windows are therefore draws of 6300 jobs, a fifth
//     of a part, out of the trace in two days.
//   - batch: 70 jobs of the paper's batch list on 64 GPUs; on 512 eight times as many, out of eight
//     copies of each.
//   - week: 60 jobs of the paper's week list, six times as fast, for 28 hours: at its own rate
//     nothing waits. On 512 GPUs eight times as many out of eight copies of each, seven times as
//     fast.
//
// Parts never have a job in common. Windows of one part do where they are drawn from a list: philly
// on 512 GPUs, batch, week.
func settings() []setting {
	workloads := []string{"synth-0.9", "synth-0.5", "synth-0.7", "synth-1.1", "philly", "batch", "week"}
	out := make([]setting, 0, 4*len(workloads))
	for _, gpus := range []int{64, 512} {
		for _, speed := range []string{"collective", "contended"} {
			for _, w := range workloads {
				out = append(out, setting{name: fmt.Sprintf("%s-%d-%s", w, gpus, speed), workload: w, gpus: gpus,
					speed:   speed,
					options: hardware(gpus, speed) + "," + jobs(w, gpus), large: gpus > 64})
			}
		}
	}
	return out
}

// hardware is the cluster and how fast jobs run on it.
func hardware(gpus int, speed string) string {
	shape := fmt.Sprintf("%dx4x8", gpus/32)
	if speed == "contended" {
		return "cluster=" + shape + `,speed="contended:rack=0.9,network=0.9"`
	}
	return "cluster=ethernet:" + shape + ",speed=collective"
}

// jobs is where a workload's windows come from.
func jobs(workload string, gpus int) string {
	large := gpus > 64
	switch workload {
	case "philly":
		if large {
			return phillyTrace + ",shares=40:20:40,rate=54,batch_jobs=6300,windows=100,warm=12,horizon=35"
		}
		return phillyTrace + ",shares=40:20:40,gap=1,rate=3,thin=4,warm=12,horizon=29"
	case "batch":
		if large {
			return batchTrace + ",shares=40:20:40,batch_jobs=560,copies=8,windows=400,warm=0,horizon=0"
		}
		return batchTrace + ",shares=40:20:40,batch_jobs=70,windows=400,warm=0,horizon=0"
	case "week":
		if large {
			return weekTrace + ",shares=40:20:40,rate=7,batch_jobs=480,copies=8,windows=400,warm=0,horizon=0"
		}
		return weekTrace + ",shares=40:20:40,rate=6,batch_jobs=60,windows=400,warm=0,horizon=0"
	}
	return "workload=poisson,windows=400,warm=12,horizon=48,load=" + strings.TrimPrefix(workload, "synth-")
}
