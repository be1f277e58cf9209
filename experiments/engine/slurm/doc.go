// Package slurm runs the cells of a sweep as elements of Slurm's job arrays.
//
// Reading guide. Run (slurm.go) is the engine: it submits (submit.go) scripts (script.go), watches
// the queue (watch.go) and judges what ended (outcome.go); record.go keeps what was handed in,
// client.go calls Slurm's commands, options.go reads the engine's options. An element may run
// several cells (pack.go), and Cancel (cancel.go) ends all.
package slurm
