// Package themis is Themis: K. Mahajan, A. Balasubramanian, A. Singhvi, S. Venkataraman, A. Akella,
// A. Phanishayee and S. Chawla, "Themis: Fair and Efficient GPU Cluster Scheduling", NSDI 2020. It
// keeps finish-time fairness,
//
//	rho = T_sh / T_id    the time of an app in the shared cluster over that on its own part of it, one of N with N apps,
//
// low for the worst-off, by auctions of GPUs that are granted for leases.
//
//  1. GPUs that are free or whose lease has ended are on offer whenever something happens.
//  2. The apps that could use some are sorted by rho. The part 1 - f with the largest, one at least, sees the offer.
//  3. Each of these bids a table: its value, 1/rho, with 0, 1, 2, ... GPUs of the offer.
//  4. The split with the largest product of values wins (baselines/themis/auction).
//  5. Hidden payments: app i keeps the part c_i of what it won.
//  6. What is left goes to apps outside the auction, at random, one unit at a time.
//  7. All are granted for a lease. A job whose lease ends and that gets nothing is preempted.
//
// Estimates: T_sh(G) = now - start + left / (speed on G) and T_id = N T_alone, with N the mean
// number of apps over the app's life and T_alone the time on the cluster alone, at the job's
// largest count. Speeds are as sim.View.Predict gives, by count and by placement class: n GPUs of
// one machine, of one rack, of several.
//
// Reading guide: themis.go one decision; apps.go who is in the system, and rho; bids.go tables of
// values; arbiter.go filter, auction, payments and left-overs; class.go what placement costs;
// config.go the settings.
//
// # What is theirs and what is ours
//
// We know the abstract, notes, and the simulator from which the simulator of Dally's authors grew
// (cards of the project), not all of the paper. Theirs are the seven steps, f = 0.8 and leases of
// 20 minutes. Ours:
//
//   - rho without GPUs, which no formula of theirs bounds: T_sh = now - start + waited + lease +
//     left / (least speed): an app waits as long again as it has, and a lease, and then runs on its
//     least count. idle=ratio is their simulator's: the last rho times (minutes waited + 1).
//   - Leases end at multiples of their length (align), after half of it at least, so that most GPUs
//     are on offer together. With leases that end one by one a job that needs many GPUs at once,
//     all or nothing, waits until as many are free by chance: on rigid jobs at 64 GPUs the largest
//     rho is 3.5 times as large [1.5, 8.0 over 8 seeds]. Elastic ones do not need it.
//   - A job has one lease. What it gains during it ends with it.
//   - The counts that a job can use are the counts of its range by its worker's size; a rigid job
//     has one. c x GPUs goes to the nearest such count (round), so a rigid job keeps all or
//     nothing, with c = 1/2 as the border; round=draw gives the larger one with the probability
//     that makes it right on average.
//   - Left-overs that no app outside can use go back to the bidders, a unit each in turn, so no GPU
//     stays idle that a job wants; this gives part of the payment back.
//   - A bidder takes the offer for itself when it looks at placement: see auction. Who has won the
//     most GPUs is placed first. In the paper an app bids for sets of GPUs, its former ones among
//     others, so a job that wins again may get others: jobs whose leases have ended are packed anew
//     together with starting jobs, such that most GPUs stay (place=near leaves them where they are:
//     mean completion times are 1 to 30 % longer, the more the slower the network). Jobs under a
//     lease stay.
//   - An app is a job, or the jobs of a user or group in the system: its work and speed are the
//     sums of theirs.
//   - With several GPU types there is an auction for each; a job that names none takes part until
//     it has won. Jobs that no type alone can hold get left-overs.
//   - A job that asks for a part of a GPU bids as for all of it; placement packs. Where a machine's
//     CPU or memory leaves a winner without GPUs others get them.
//
// Their simulator has other bids: fidelity/themissim.
//
// Truth-telling is a theorem for values that are homogeneous of degree one and nothing without
// GPUs, where a fraction of GPUs can be had; here it is neither. See auction.
//
// A decision costs the apps in the system, n log n, and an auction: bidders x GPUs on offer x
// counts of a bid. Nothing is done while no GPU is on offer.
package themis
