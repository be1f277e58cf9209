// Package sleep switches off machines without jobs under any scheduler, its host, and boots them
// for jobs that wait. qssf-ces is the Cluster Energy Saving service of Helios: Q. Hu, P. Sun, S. Yan,
// Y. Wen, T. Zhang, "Characterization and Prediction of Deep Learning Workloads in Large-Scale GPU
// Datacenters", SC 2021 (arXiv 2109.01313). docs/schedulers/qssf-ces.md states what was measured.
//
// # When machines sleep
//
//   - rule=timer: when idle for idle_s.
//   - rule=break-even: when idle for as long as what a machine draws idle, beyond one that is off, takes
//     the energy of a power-off and a boot. Energy is then at most twice the least with the future in
//     view (Karlin et al., "Competitive snoopy caching", Algorithmica 3, 1988), waits apart.
//   - rule=forecast, Helios': every tick_s the number of machines in use is noted, the most of the
//     interval. During the first warm ticks all idle machines but a buffer go to sleep. Later the
//     excess does, at a tick, if the mean of the last history notes exceeds the present one by
//     his_threshold or more, the present one exceeds the mean forecast of the next future notes by
//     fut_threshold or more, that forecast is not below the forecast of twice as many notes, no
//     machine was woken within the last keep ticks, and the machines awake exceed the machines in
//     use and the buffer by de_threshold or more (Rule.Excess).
//
// A buffer of idle machines stays awake. No machine sleeps while jobs want GPUs of its type.
//
// # When machines boot
//
//   - As soon as waiting jobs want more GPUs of a type than are free or about to be: machines that make
//     up for it, from the lowest up, and the buffer anew.
//   - Where that is not the reason, one more machine at a time while none boots: at once where no
//     machine, or not enough machines without jobs, have room for a job, else when jobs have waited
//     for patience_s. So a job that could run with all machines on gets them.
//
// With boots=one a machine boots while no other does.
//
// # What is theirs and what is ours
//
// The forecast rule, the constants of site and the wake-up to use plus buffer are from the authors'
// programs (S-Lab-System-Group/HeliosArtifact, CES_Helios.py and CES_Philly.py). These replay a
// recorded series of machines in use, so that no job is ever delayed (Replay); here jobs wait for
// boots. Theirs is a gradient-boosted regression over calendar and lags, fitted offline, and its
// features are notes from one hour before the note that is predicted: a forecast hours ahead reads
// notes that lie in the future. Ours (forecast.go) is a ridge regression fitted during the run, from
// nothing but what was seen. Ours too: which machines sleep and boot; buffer=auto, 3 % of the machines
// with the forecast rule (theirs: 5 to 7 of 133 to 264, sizes from general knowledge of the paper),
// else none; the first 6 ticks as warm for every tick_s.
//
// The host sees machines that sleep as failed ones and booted ones as repaired. At the instant at which
// machines go to sleep their GPUs are out of the free list; a host that looks elsewhere and starts
// a job on one keeps it awake. Running jobs that hold fewer GPUs than they ask for want the rest
// (grow). A host that rejects jobs by what is up rejects by what is awake.
//
// Reading guide: policy.go has the instant, demand.go jobs, machines.go who sleeps, rule.go the
// forecast rule, wake.go who boots, series.go the notes, forecast.go and features.go the regression,
// account.go the measures, config.go the settings.
package sleep
