// Package stack puts layers over a speed model. A layer asks the model below another question,
// corrects its answer, or both: types of GPUs, GPUs that differ, batches, jobs on one GPU, and
// hosts are layers (packages typespeed, variability, efficiency, interference and hosts).
//
// Reading guide: Layer (layer.go) is what a layer has, and what it may have beside; New (stack.go)
// builds the model; sides.go has what the engine asks of it beside speeds: shared links, GPUs that
// differ, marks and telemetry.
//
// # The rule
//
// A question goes down from the last layer to the first and to the model at the bottom, each layer
// seeing what those above it made of it. The answer comes up from the first layer to the last.
// Layers have no more to do than that: all else of a speed model is written here, once.
//
//	links      sim.Coupled where the bottom is: it places a job by the question that reaches it
//	GPUs       sim.Variability where a layer or the bottom is: the last one counts
//	progress   sim.Progressive where a layer is a Learner or a Clock, or the bottom is progressive:
//	           the next mark is the earliest of all
//	telemetry  the last Learner's, else the bottom's; the layers above it stretch the times of a
//	           step as they do the speed
//
// What neither a layer nor the bottom has, the stack has not. Without layers it is the bottom
// itself. A query without GPUs goes to the bottom as it is.
//
// # Time
//
// The engine asks for a job's speed again at its marks, which are of work. A Clock's time becomes
// the work that the job has done by then at its speed, so that the answer changes at that time, or
// a microsecond later. Two things move it: a pause between, by its length, and copies of a job
// (Knobs.CopyFrac), each of which has a mark by its own speed.
//
// # Order
//
// Layers do not commute: one sees only the questions of those above it and only the answers of
// those below. package scenario states the order in which a run has them, with the reasons.
package stack
