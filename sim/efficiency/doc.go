// Package efficiency gives any speed model a statistical efficiency: the progress of a sample falls
// with the batch and rises while a job learns. It is what Pollux, Sia and others schedule by, on
// networks and models that their authors did not measure.
//
// Reading guide: Parse reads a Rule from the setting efficiency (rule.go); laws.go has the laws of
// models, own.go a job's own batch, batch.go the batch that a job has on an allocation; NewLayer
// makes the layer of a Rule (layer.go), which package stack puts over a speed model.
//
// # The law
//
// A job's own batch is M0, in samples: Job.BatchSize, or what its model takes per GPU times the
// GPUs that it asks for. Its work is stated for M0, at which a sample counts 1. In an update of B >
// M0 samples it counts (Qiao et al., "Pollux", OSDI 2021, section 3.1; package goodput)
//
//	efficiency = (var + sqr) / (var M0/B + sqr) x M0/B = (phi + M0) / (phi + B)
//
// with the noise scale phi = M0 var/sqr in samples. We differ below M0: there a sample counts 1,
// not more. Noise grows in steps with the epochs of a job, which are equal parts of its work:
//
//	phi of epoch e = noise x growth^(e / (epochs-1)),   e = 0 ... epochs-1
//
// # The batch
//
// The rule weak keeps the samples per GPU: the batch is M0 on the GPUs that a job asks for and
// grows in proportion to others, until Max. The rule strong keeps M0: more GPUs have fewer samples
// each. A policy that sets Knobs.Batch or Knobs.AccumSteps has the batch Knobs.Batch x M0 in place
// of either. It is divided evenly and rounded up to whole samples, in as many micro-steps as the
// policy states, or as memory (MaxLocal) needs; a GPU has at least MinLocal samples, so that many
// GPUs may have a larger batch than asked.
//
// # The speed
//
// With b the samples of a GPU and micro-step over its own, computing them takes fixed + (1-fixed) b
// times as long as its own. The exchange of an update takes as long as the model within states for
// the allocation: it is the same for every batch. With A micro-steps an update computes for k = A
// (fixed + (1-fixed) b), which the model within is given as Knobs.Batch (see the common rule of
// package speed), and
//
//	rate = rate within x A b / k x efficiency         compute fraction = that within
//
// At the own batch on the own GPUs b, A and the efficiency are 1, and so in every weak allocation
// without noise (noise=inf) within the limits: the speed equals the inner model's to the last bit,
// and there are no marks.
//
// # For policies
//
// A model under the layer is sim.Progressive. Marks are the epochs at which the speed changes.
// Telemetry is exact; seconds follow from the time of an iteration on one GPU, which is the trace's
// (Job.IterS), or the profile's. Gradients have a squared norm of 1, as only the ratio counts.
// Losses are not known.
package efficiency
