// Package variability makes GPUs of one type differ: two of the same model number do not run
// equally fast, and how much depends on the application (Sinha et al., "Not all GPUs are created
// equal", SC 2022; Jain et al., "PAL: a variability-aware policy for scheduling ML workloads in GPU
// clusters", SC 2024).
//
// Reading guide: Factors (factors.go) has a factor per GPU and class of applications, from a file
// (read.go) or drawn (drawn.go); Layer (layer.go) puts it over any speed model, as a layer of
// package stack. Parse reads both forms of the setting variability.
//
// # The rule
//
// A factor is the speed of a GPU relative to its type's. Training is synchronous, so that a job
// runs at the factor of its slowest GPU:
//
//	rate = rate of the speed model x the least factor of the job's GPUs
//
// All of an iteration is stretched, communication too, as PAL multiplies the variability of an
// allocation by its locality; the compute fraction stays. PAL's scores are iteration times relative
// to the median GPU: score = 1 / factor.
//
// # Classes
//
// A class has factors of its own. Which class a model is of states a file (model,class); case does
// not count, and a model with its batch size ("ResNet-50 (batch size 64)") that is not in the file
// is looked up without it. A model that the file does not have, and every model without a file, is
// of the first class: the first of the file of factors, or of the drawn law.
//
// # For policies
//
// A policy that declares know.Speed reads the factors by sim.View.Variability, all GPUs of a
// class at once, or as the ratio of Predict on single GPUs of one type. They are the same during a
// run.
package variability
