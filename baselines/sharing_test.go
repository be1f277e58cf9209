package baselines_test

import "tarry/sim"

// togetherStory asks who shares a GPU: two machines of two GPUs have a job each of known memory and
// utilisation on every GPU, one of them urgent; others follow.
func togetherStory() story {
	of := func(j sim.Job, model string, mib, priority int32, util float64) sim.Job {
		j.Model, j.GPUMiB, j.Priority, j.GPUUtilFrac = model, mib, priority, util
		return j
	}
	return story{name: "who shares a GPU", shape: [3]int{1, 2, 2}, jobs: []sim.Job{
		of(told("urgent", 0, 2, 60), "vgg16", 12000, 1, 0.5), of(told("small", 1, 1, 40), "lenet", 3000, 0, 0.2),
		of(told("large", 2, 1, 50), "bert", 16000, 0, 0.9),
		of(told("guest", 5, 1, 20), "lenet", 4000, 0, 0.3), of(told("pair", 8, 2, 15), "vgg16", 8000, 0, 0.4),
		of(told("late", 30, 1, 10), "lenet", 2000, 2, 0.6),
	}}
}
