// Package tune looks for good parameters of a scheduler on windows of training, with a stated
// number of simulations.
//
// Reading guide. Config (config.go) is a run as a value; plan.go makes schedulers of points and
// checks ranges; measure.go runs them, each on the same windows, and remembers; Run (run.go) is the
// loop between an optimiser and measurements; rows.go is the table; state.go what is kept between
// two batches; open.go reads a finished run.
//
// The optimiser receives, for each window, the metric minus the metric of the scheduler as it
// stands (the reference) on the same window, over Dally's there (cost.go has other costs): jobs
// that are hard for all policies cancel, and windows weigh alike, as in a policy search. The best
// few points are then measured on windows of validation, with the reference among them, and the
// best there is the result. Windows of test are for tarry eval alone.
//
// The folder of a run:
//
//	config.json           every setting
//	windows.json          hashes of the windows of training and validation, as tarry train leaves them
//	STATE                 the latest state; a run resumes from it to the same bytes
//	tune/part-0.parquet   one row per point
//	best.json             the scheduler that was chosen
//	manifest.json         all of these with their hashes, once the run has ended
package tune
