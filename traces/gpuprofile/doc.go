// Package gpuprofile gives jobs the memory and the busy part of a GPU that their models need:
// traces of real clusters hold neither.
//
// Reading guide: Parse (rule.go) reads a Rule from the setting gpu_profile; Rule.Apply and
// Rule.Stream (apply.go) give what a job does not state itself, at once or one by one; read.go
// reads a file, catalogue.go has the built-in numbers.
//
// # The file
//
// A CSV file with the columns model, gpus, gpu_util_frac and gpu_mem_mib. gpus is the number that a
// job asks for; 0 or an empty cell is any number, and stands back behind a row for the job's own.
// An empty gpu_util_frac or gpu_mem_mib is not known. Model * is all that have no row; case does
// not count, and a model with its batch size ("ResNet-50 (batch size 64)") that has no row is
// looked up without it, then by the name that the catalogue gives it.
//
// # The catalogue
//
// Memory is an estimate of ours from the layers of sim/models: 16 bytes a parameter (weights,
// gradients, two states of the optimiser), every layer's output twice, which is kept for the
// backward pass with what is computed from it in place, and 1024 MiB for the driver and workspace.
// models.Profile.MemMiB has outputs once and neither driver nor workspace: it is what must fit, not
// what a process holds. It holds at the profile's batch per GPU, whatever the job's.
//
// The busy part of a GPU is the GPU's stage over an iteration on one GPU as the authors of Muri
// measured it (Zhao et al., SIGCOMM 2022; simulator/trace-data of Rivendile/Muri, V100), for the
// models that they have: see measured. Others have
//
//	u = t / (t + 25 ms)
//
// with t what an iteration of the profile computes. 25 ms is the mean of iteration less GPU stage
// over Muri's BERT, GPT-2, VGG-16 and VGG-19 (18, 16, 39 and 29 ms); the form is ours.
// Communication does not count: jobs on several GPUs are as busy as on one.
package gpuprofile
