package contest

import (
	"math"

	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// Order states who chooses first.
type Order struct {
	// Name is what users write.
	Name string
	// Reads is what the key reads of jobs.
	Reads know.Set
	// Logs is set where keys are logarithms, so that Config.Margin is a factor.
	Logs bool
	// Key is the key of a job: smaller chooses first. It is asked when the job begins to contest.
	Key func(v *sim.View, j sim.JobID) float64
}

// FirstCome is the order by submit.
func FirstCome() Order {
	return Order{Name: "fifo", Key: func(v *sim.View, j sim.JobID) float64 { return float64(v.Job(j).Submit()) }}
}

// LeastService is the order by attained GPU-time.
func LeastService() Order {
	return Order{Name: "las", Key: func(v *sim.View, j sim.JobID) float64 { return float64(v.Run(j).Service()) }}
}

// ShortestTime is the order by the time left at full speed on a job's own GPUs. It is clairvoyant
// (know.Work), as is ShortestService: both read how long a job really runs.
func ShortestTime() Order {
	return Order{Name: "srpt", Reads: know.Work,
		Key: func(v *sim.View, j sim.JobID) float64 { return v.Run(j).Left() / v.Job(j).Width() }}
}

// ShortestService is the order by the GPU-time left.
func ShortestService() Order {
	return Order{Name: "srsf", Reads: know.Work, Key: func(v *sim.View, j sim.JobID) float64 { return v.Run(j).Left() }}
}

// predictedTime is the order by the logarithm of the mean run time that a job is predicted to have
// left. It reads the run's predictor (know.Estimate); without one an estimate is exact.
func predictedTime() Order {
	return predicted("psrpt", func(v *sim.View, j sim.JobID) float64 { return plan.PredictedLeft(v, j) })
}

// predictedService is the order by the logarithm of the predicted GPU-time left.
func predictedService() Order {
	return predicted("psrsf",
		func(v *sim.View, j sim.JobID) float64 { return plan.PredictedLeft(v, j) * v.Job(j).Width() })
}

// gittinsTime is the order by the logarithm of the Gittins rank of the predicted law.
func gittinsTime() Order {
	return predicted("gittins", func(v *sim.View, j sim.JobID) float64 { return plan.GittinsRank(v, j) })
}

func predicted(name string, of func(v *sim.View, j sim.JobID) float64) Order {
	return Order{Name: name, Reads: know.Estimate | know.Done, Logs: true,
		Key: func(v *sim.View, j sim.JobID) float64 { return predictedKey(of(v, j)) }}
}

func predictedKey(x float64) float64 { return math.Log(math.Max(1e-6, x)) }

// Orders lists the orders.
func Orders() []Order {
	return []Order{FirstCome(), LeastService(), ShortestTime(), ShortestService(), predictedTime(), predictedService(),
		gittinsTime()}
}
