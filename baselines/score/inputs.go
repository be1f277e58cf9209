package score

import "tarry/sim/param"

// Input is one number that is known of a job, or of the queue.
type Input int

// The inputs; InputText states what each is.
const (
	Rank Input = iota
	Spread
	GPUs
	Attained
	Age
	Wait
	Running
	Preempted
	Exposed
	Slowed
	Level
	Pressure
	Lull
	Doubt
	Left
	Request
	// NumInputs is how many there are.
	NumInputs
)

// InputText has a line for each Input: name, range, unit and meaning, parted by two spaces. Numbers
// are cut to 32 where they are observed. Each but rank, left and request is 0 where it states
// nothing.
const InputText = `
rank  -4.1..32  ln(min)  logarithm of the Gittins rank, at least 1 s, by the law of run times after the progress so far
spread  0..32  ln(ratio)  standard deviation of ln(run time) by that law or the prediction
gpus  0..32  ln(GPUs)  logarithm of the GPUs that it asks for
attained  0..32  ln(1 + min)  progress: the time that it took on the GPUs that it asks for, at full speed
age  0..32  ln(1 + min)  time since it was submitted
wait  0..32  ln(1 + min)  time since it lost its last GPU, or was submitted; 0 while it runs
running  0, 1  flag  1 while it runs
preempted  0..32  ln(1 + count)  preemptions so far
exposed  0..1  share  part of the time that it does not compute but waits for the network now; 0 without GPUs
slowed  0..1  share  1 - its mean fraction of full speed up to when it last contested for GPUs; 0 before it ran
level  0, 0.5, 1  place  0 in a machine or without GPUs, 0.5 in a rack, 1 beyond
pressure  0..32  ln(1 + ratio)  GPUs that jobs without GPUs ask for / GPUs of the cluster: the same for all jobs
lull  0..1  share  how long no job has come, of that time and 128 mean gaps between arrivals so far: the same for all jobs
doubt  0..1  share  how uncertain the laws of the jobs so far are, times 1 - lull: 0 up to a mean spread of 0.8, 1 from 0.9 on
left  -4.1..32  ln(min)  mean run time that it has left by the law, at least 1 s
request  -4.1..32  ln(min)  what is left of the run time that the user asked for, at least 1 s; without a request left again
`

// Inputs are the inputs of one job.
type Inputs [NumInputs]float64

// InputNames are how users write them: InputNames()[i] is Input i.
func InputNames() []string { return param.Keys(InputText) }
