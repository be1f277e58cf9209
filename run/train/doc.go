// Package train runs training: an environment, an agent and its settings, a seed and a folder.
//
// Reading guide. Config (config.go) is a run as a value, Resolve reads it from settings; Run
// (run.go) is the loop; checkpoint.go is what is kept between two updates, windows.go the hashes
// of the jobs that training may see, validate.go how checkpoints are chosen, open.go how a
// finished run is read again.
//
// The folder of a run:
//
//	config.json              every setting
//	windows.json             hashes of the windows of training and validation
//	checkpoints/last.ckpt    the latest state; a run resumes from it to the same bytes
//	checkpoints/best.ckpt    the state that did best on validation
//	curves/part-0.parquet    one row per update
//	manifest.json            all of these with their hashes, once the run has ended
//
// Every file takes its name only when it is complete. No wall clock reaches any of them, so a run
// that was killed anywhere and resumed leaves the same bytes as one that was not, on the same
// architecture and version, whatever the number of processors.
package train
