// Package gadget is gadget-like, after M. Yu, Y. Tian, B. Ji, C. Wu, H. Rajan and J. Liu, "GADGET:
// Online Resource Optimization for Scheduling Ring-All-Reduce Learning Jobs", INFOCOM 2022 (arXiv
// 2202.01158). Time has slots. In each, an integer programme chooses the workers of each job's ring
// such that the utility of the iterations done grows most.
//
//  1. The utility of a job is ln(1 + x/scale) of the x iterations that it has done: it is concave, so that jobs with little progress gain most.
//  2. Rows are the GPUs of each type, and where jobs share links the uplinks of the machines, all together. The options of a job are the numbers of workers in its range on each type that it accepts, and none; an option gains the
//     utility after a slot at its speed, less that before.
//  3. The sum of the gains is made most: by one worker more at a time for the job that gains most by it, for each GPU (slot.go), and by branch and bound
//     (internal/choice) of at most nodes linear problems, whichever finds more.
//  4. plan.Sizer finds the GPUs. Jobs without a ring are preempted; arrivals wait for the next slot.
//
// # What is theirs and what is ours
//
// The paper was at hand as far as its abstract: utility of progress, slots, the ring as a virtual
// graph that is embedded, and a proven bound. The iteration's formula, the relaxation and rounding
// of its embedding are not known to us, so the name ends in -like. Ours:
//
//   - The programme is solved as it is, not relaxed and rounded. In the tests it has rings over
//     servers and their uplinks, and agrees with the reference slots in optimum, relaxation and
//     greedy sum; in the policy it has counts alone, since the machines of a cluster are more rows
//     than the solver takes, and GPUs are found afterwards. So bandwidth is reserved in sum and on
//     no link: rings may still meet, as the speed model has it. A ring of several machines counts
//     at the speed that it has there alone, and takes the part of each uplink's time for which it
//     keeps it busy.
//   - Speeds are asked of the speed model, on the nearest GPUs (plan.Curves).
//   - scale and the equal weight of jobs. Where a job's iterations are unknown a second of work on
//     one reference GPU counts as one.
//   - A job that has not run since the last slot though it has GPUs, as it starts up, keeps them.
//     A change of a ring costs what the run states; the programme does not see it, as the paper's.
//   - A job of no type runs on the type that the programme chose, a running one stays on its own. A
//     job that no type alone can hold counts in every row, by parts.
//
// Reading guide: policy.go has slots and programme, slot.go solves it.
package gadget

// Params describes the settings for the catalogue.
const Params = `slot   time between two decisions, s
scale  iterations in the utility ln(1 + iterations / scale)
nodes  most linear problems of a slot's branch and bound at 1 000 options, fewer where there are more; 0 = the greedy rule alone
moves  near: rings that keep their workers stay where they are | spread: they move where a ring would lie on more machines than it needs`
