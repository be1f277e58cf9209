// Package budget chooses numbers of GPUs and clocks for jobs under a budget of energy, as PowerFlow
// does (Gu et al., arXiv 2304.06381, equations 16 and 17), from tables of how long each job takes and
// what energy it uses.
//
//  1. Each job begins with its least number of GPUs, at the clock of least energy.
//  2. There are two moves of a job: to its next number of GPUs, and to its next clock. A move has the
//     relative gain of time over the relative rise of energy as priority; moves that need no more energy
//     come first, by their gain, and moves that gain nothing are none.
//  3. The move of the highest priority is made, as long as there is one for which GPUs and budget
//     suffice; others are passed over. Of equal ones the earlier job's is made, its GPUs before its clock.
package budget
