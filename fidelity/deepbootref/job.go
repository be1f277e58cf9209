package deepbootref

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/baselines/fit"
	"tarry/sim/goodput"
	"tarry/sim/speed/polluxsim"
)

// The states of a service task.
const (
	start = iota
	running
	finished
)

// job is a training job or a service task of the simulator. Times are whole seconds where they are ints.
type job struct {
	id      int
	name    string
	model   string // the application, without a service's mark
	service bool
	app     string // as the workload has it, which pods go by
	profile polluxsim.Profile
	limits  goodput.Limits
	submit  int
	target  int // GPUs
	batch   int // that it keeps; 0 = tuned

	now, rescale int
	end          float64 // < 0 = not yet
	placement    []int   // GPUs of each node in the order of allocation
	local, accum int
	seen         []fit.Observation
	params       goodput.Params
	noise        goodput.Noise
	progress     float64
	epoch        int
	attained     int // GPU-seconds
	restarts     int // -1 = never started
	delayed, ran int
	moves        []move

	duration float64
	state    int
	pod      int // the job whose pod it runs in
	reuses   bool
	began    float64 // < 0 = not yet
	ends     float64 // as first reckoned; < 0 = not yet
}

// move is a change of a placement.
type move struct {
	at            int
	before, after []int
}

// firsts are the delays of first starts, shorts of elastic changes, of starts of services.
func firsts() map[string]int {
	return map[string]int{"bert": 103, "cifar10": 24, "ncf": 25, "deepspeech2": 18, "yolov3": 26, "imagenet": 35}
}

func shorts() map[string]int {
	return map[string]int{"bert": 5, "cifar10": 3, "ncf": 2, "deepspeech2": 1, "yolov3": 3, "imagenet": 3}
}

func serviceStarts() map[string]int {
	return map[string]int{"bert": 8, "cifar10": 6, "ncf": 4, "deepspeech2": 4, "yolov3": 6, "imagenet": 6}
}

// serviceMark begins the applications of service tasks.
const serviceMark = "infer"

// base is the application without what follows its second dash: tasks of infer-bert-2 run infer-bert.
func base(app string) string {
	if parts := strings.Split(app, "-"); len(parts) > 2 && strings.Contains(app, serviceMark) {
		return strings.Join(parts[:len(parts)-1], "-")
	}
	return app
}

func total(list []int) (n int) {
	for _, x := range list {
		n += x
	}
	return n
}

// ceil rounds up; an excess of 1e-8 is rounding.
func ceil(x float64) int { return int(math.Ceil(x - 1e-8)) }

// tune divides the batch among the GPUs of the placement: the job's own, the least before anything was
// measured, else the batch of best goodput.
func (j *job) tune() {
	gpus := total(j.placement)
	l, batch := &j.limits, j.batch
	if batch == 0 && j.seen == nil {
		batch = max(l.Initial, l.MinLocal*gpus)
	}
	if batch == 0 {
		f := j.function()
		_, j.local, j.accum = f.Best(len(j.placement), gpus)
	} else {
		each := float64(ceil(float64(batch) / float64(gpus)))
		j.accum = ceil(each/float64(l.MaxLocal)) - 1
		if gpus == 1 && batch > l.Initial {
			j.accum = max(1, j.accum)
		}
		j.local = ceil(each / float64(j.accum+1))
	}
	j.local = min(j.local, l.Max/(gpus*(j.accum+1)))
}

func (j *job) function() *goodput.Function {
	return &goodput.Function{Params: j.params, Noise: j.noise, Limits: j.limits}
}

// most is the largest number of GPUs that was measured.
func (j *job) most() (n int) {
	for i := range j.seen {
		n = max(n, j.seen[i].Replicas)
	}
	return n
}

// speedup is the goodput over a base; 0 = nothing was measured, and it is GPUs over the fair number.
func (j *job) speedup(nodes, gpus int, baseline, fair float64) float64 {
	if gpus == 0 {
		return 0
	}
	if j.seen == nil {
		return float64(gpus) / fair
	}
	g, _, _ := j.function().Best(nodes, gpus)
	return g / baseline
}

// baseline is the goodput that speedups are over.
func (j *job) baseline(nodes, gpus int) float64 {
	if j.seen == nil {
		return 0
	}
	g, _, _ := j.function().Best(nodes, gpus)
	return g
}

// measure takes down the times of a step, and fits the model where they are new.
func (j *job) measure(step, sync float64, noise goodput.Noise) error {
	j.noise = noise
	o := fit.Observation{Nodes: len(j.placement), Replicas: total(j.placement), Local: j.local, StepS: step, SyncS: sync}
	if slices.ContainsFunc(j.seen, func(s fit.Observation) bool {
		return s.Nodes == o.Nodes && s.Replicas == o.Replicas && s.Local == o.Local
	}) {
		return nil
	}
	j.seen = append(j.seen, o)
	params, err := fitted(j.seen)
	j.params = params
	return err
}

// fitted are the parameters that observations give.
func fitted(seen []fit.Observation) (goodput.Params, error) {
	p, _, err := fit.Throughput(seen, goodput.Params{})
	return p, err
}

// train runs a job that has GPUs for some seconds.
func (j *job) train(table *polluxsim.Table, seconds int) error {
	gpus := total(j.placement)
	delay := min(j.rescale, seconds)
	j.now, j.attained, j.rescale, j.delayed = j.now+delay, j.attained+delay*gpus, j.rescale-delay, j.delayed+delay
	seconds -= delay
	for seconds > 0 && j.end < 0 {
		if j.epoch >= j.profile.Epochs() {
			return fmt.Errorf("%s has no epoch after %d", j.name, j.epoch)
		}
		size := gpus * j.local * (j.accum + 1)
		step, sync, err := table.Lookup(j.model, j.placement, j.local)
		if err != nil {
			return err
		}
		noise := j.profile.Noise(size, j.epoch)
		scale := float64(size) / float64(j.limits.Initial)
		gain := (noise.Var + noise.Sqr) / (noise.Var/scale + noise.Sqr)
		if err := j.measure(step, sync, noise); err != nil {
			return err
		}
		rate := gain / (step + float64((step-sync)*float64(j.accum)))
		took, next := seconds, j.profile.End(j.epoch)
		if after := j.progress + float64(rate*float64(seconds)); after < next {
			j.progress = after
		} else {
			j.epoch++
			took = int(math.RoundToEven((next - j.progress) / rate))
			if j.progress = next; j.epoch >= j.profile.Epochs() {
				j.end = float64(j.now + took)
			}
		}
		j.now, j.attained, j.ran, seconds = j.now+took, j.attained+took*gpus, j.ran+took, seconds-took
		j.tune()
	}
	j.now += seconds
	return nil
}

// pause is the delay of a change to a placement.
func (j *job) pause(before, after []int, afe bool) int {
	first, short := firsts()[j.model], shorts()[j.model]
	was, now := total(before), total(after)
	switch {
	case !afe || was == 0 || was == now:
		return first
	case was < now:
		return short + (first-short)*(now-was)/now
	}
	return short
}
