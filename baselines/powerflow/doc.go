// Package powerflow is PowerFlow (Gu et al., "Energy-efficient GPU clusters scheduling for deep learning",
// arXiv 2304.06381): it chooses numbers of GPUs and clocks, so that jobs complete early under a budget of
// energy.
//
//  1. Tables (table.go). For each job: seconds and joules of a unit of work on its least number of GPUs, twice as many, and so on as long as that is faster, at each
//     clock. Speeds and watts are predicted on the nearest GPUs of an empty cluster.
//  2. Jobs (policy.go). Jobs get their least number of GPUs, at the clock of least energy, the shortest first, until no GPU is left.
//  3. Moves (budget). The next number of GPUs or the next clock goes to the job of which the time falls most for the rise of energy, both relative, while GPUs and budget
//     suffice.
//  4. Budget (account.go). The energy of all work done and left is at most a part of what the same work takes on the GPUs asked for at the highest clock, and at most some
//     kWh. Where the least energy of all jobs is more, jobs run with their least energy.
//  5. Placement (sim/plan/buddy). Jobs are placed the widest first in aligned blocks, and running jobs move where this needs it.
//
// # What is the paper's and what is ours
//
// We know the paper's abstract, and a program of others with its Algorithm 1 for numbers of GPUs. The
// priority, the budget of energy, blocks and packing are the paper's; moves of one more GPU, the end at the
// first move beyond the budget and kWh for all jobs are that program's. Ours are:
//
//   - A move to the next clock has the same priority as one to the next number.
//   - A move beyond the budget is passed over, and others are made.
//   - A budget as a part (budget=), and its account: what earlier work has saved is there for later work.
//   - More jobs than GPUs: the shortest first; there nothing runs then.
//   - A budget below the least energy: jobs run with their least energy, as they have to end; there nothing
//     runs then.
//   - The idle draw is the cluster's, as it is on anyhow; with idle=1 a job's energy has the idle draw of
//     its GPUs and its part of the machines.
//   - Decisions at events, at most one in a slot.
package powerflow
