// Package engine runs the cells of a sweep: here, over a shared folder, or in a batch system.
//
// Reading guide. Job (job.go) is what every engine takes; each engine is a function in a file of
// its own: Local (local.go), Dir (dir.go), Print (print.go), and Run in the packages slurm and k8s.
// All of them start the same worker, tarry sweep worker --out DIR --index N, or call it in-process,
// and believe nothing but the cells' STATUS files about how it went.
package engine
