package score

// Input is one number that is known of a job, or of the queue.
type Input int

// The inputs. Times are ln(1 + t / 1 min); each but Rank, Left and Request is 0 where
// it states nothing.
const (
	// Rank is ln(r / 1 min) of the Gittins rank r of the job's run time, at least 1 s: see law.Law.
	// It may be less than 0.
	Rank Input = iota
	// Spread is the standard deviation of ln(run time) by the law or the prediction.
	Spread
	// GPUs is ln(GPUs asked for).
	GPUs
	// Attained is the job's progress: the time it took on the GPUs that it asks for, at full speed.
	Attained
	// Age is the time since it was submitted.
	Age
	// Wait is the time since it lost its last GPU, or was submitted; 0 while it runs.
	Wait
	// Running is 1 while it runs.
	Running
	// Preempted is ln(1 + preemptions).
	Preempted
	// Exposed is the part of the time that it does not compute but waits for the network now; 0
	// without GPUs.
	Exposed
	// Slowed is 1 - its mean fraction of full speed up to when it last contested for GPUs; 0 before
	// it ran.
	Slowed
	// Level is how far apart its GPUs are: 0 in a machine or without GPUs, 1/2 in a rack, 1 beyond.
	Level
	// Pressure is ln(1 + GPUs that jobs without GPUs ask for / GPUs of the cluster): the same for
	// all jobs.
	Pressure
	// Lull is how long no job has come, of that time and 128 mean gaps between arrivals so far, 0 to
	// 1: near 0 while jobs keep coming, 1 in a list that came at once. It is the same for all jobs.
	Lull
	// Doubt is how uncertain the laws of the jobs that came so far are, times 1 - lull: 0 up to a mean
	// spread of 0.8, 1 from 0.9 on. It is the same for all jobs.
	Doubt
	// Left is ln(t / 1 min) of the mean run time t that the job has left by the law, at least 1 s. It
	// may be less than 0.
	Left
	// Request is ln(t / 1 min) of what is left of the run time t that the user asked for, at least
	// 1 s: a second prediction. Where the user asked for none it is Left.
	Request
	// NumInputs is how many there are.
	NumInputs
)

// Inputs are the inputs of one job.
type Inputs [NumInputs]float64

// InputNames are how users write them: InputNames()[i] is Input i.
func InputNames() []string {
	return []string{"rank", "spread", "gpus", "attained", "age", "wait", "running", "preempted", "exposed", "slowed",
		"level", "pressure", "lull", "doubt", "left", "request"}
}
