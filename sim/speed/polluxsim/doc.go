// Package polluxsim is the speed model pollux: step times and gradient noise that were measured for
// the simulator of Pollux (Qiao et al., "Pollux: co-adaptive cluster scheduling for
// goodput-optimized deep learning", OSDI 2021), six applications on T4 GPUs. How fast a job is
// depends on where its GPUs are, on its batch size, and on how many epochs it has done.
//
// Reading guide: Table (table.go) is the data: step times by ring of machines, noise by batch size
// and epoch; read.go reads it from a folder; batch.go splits a batch among GPUs and micro-steps;
// Model (model.go) is the sim.SpeedModel and sim.Progressive.
//
// # The folder
//
//	applications.csv         application, init_batch_size (M0), max_batch_size, min_local_bsz, max_local_bsz, max_epochs, validated_batch_sizes
//	validation.csv           application, batch_size, epoch, progress, iteration, grad_sqr, grad_var: after and during each epoch
//	placements_measured.csv  application, placement (GPUs per machine as digits), local_bsz, step_time, sync_time
//	step_time_grid.csv       application, num_nodes, num_replicas, local_bsz, step_time, sync_time, for what was not measured
//
// Files may be compressed with gzip or zstd under the same name. Columns beyond these are not read.
//
// # Speed
//
// The GPUs per machine, once round the ring, are a placement; rotations of it are the same one. A
// measured placement has its own step times, others take the grid's by number of machines and GPUs;
// both are linear in the samples of a GPU between knots. An update of a+1 micro-steps takes
//
//	T = step + a (step - sync)
//
// At batch size B the noise of the present epoch is linear between the neighbouring validated batch
// sizes, and the progress of an update is
//
//	gain = (var + sqr) / (var M0 / B + sqr)
//
// updates at the initial batch size M0: progress. Rate = gain / T x the seconds of a step at M0 on
// one GPU (sim.Job.IterS), so that Work is the progress of all epochs times these. Epoch e ends at
// the least progress that any validated batch size had after it. After the last epoch its noise
// holds.
//
// # Rules of ours
//
// The order of a ring is a setting, as the kernel keeps GPUs sorted: machines with most of the
// job's GPUs first (the order in which that simulator's Tiresias and Optimus allocate), or machines
// as numbered (its Pollux). A machine counts as one for each four GPUs that a job has on it, as no
// larger ones were measured. More than 64 GPUs are as fast as 64. A GPU with fewer or more samples
// than were measured takes the time of the least or most. Batches that were not validated have the
// noise of the nearest. Types of GPUs that a cluster gives a speed compute at it, and synchronise
// as the others. Jobs that share GPUs get their share. A job whose trace states no batch size has
// M0; one whose trace states no iterations has steps of the measured length.
package polluxsim
