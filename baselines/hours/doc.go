// Package hours shifts work to cheap or clean hours: ce-dla-like plans all jobs over hours with a price
// each, shift holds the starts of any policy back. docs/reference/schedulers.md#shifting has what was measured.
//
// # ce-dla-like
//
// After "CE-DLA", Energies 15(2):474, 2022, of which the abstract alone was read: a mixed-integer
// program over slots with prices, with nodes switched off when idle. Rules and constants are ours.
//
//  1. At each slot's beginning all waiting jobs are planned over the slots of the horizon: which slots cost least, by price x energy, so that each is
//     done by its deadline, or starts within its slack. Jobs that run keep their GPUs, or, with preempt=true, are planned too.
//  2. A few jobs are planned exactly, by dynamic programming; more of them by marginal cost, the first due first, and each once again.
//  3. A job that arrives within a slot is planned beside what is planned.
//  4. Jobs whose slot has come start by due time as they fit, and what cannot be done in time as early as it fits.
//  5. Machines without jobs are switched off unless the plan needs them within the time in which that saves nothing, and booted ahead of the slots that need
//     them.
//
// Beyond the horizon the price is the horizon's mean. A slot's price is the price at its beginning.
// Jobs share slots as if GPUs could be divided, so where jobs do not fit they start later.
//
// # shift
//
// The host gets a job's arrival when the wait ends (shift.go). rule=window is the non-interrupting strategy
// of Wiesner et al., "Let's Wait Awhile", Middleware 2021: the start of least mean price
// over the run time. Their interrupting strategy is ce-dla-like with preempt=true. rule=quantile waits while
// the price is above a quantile of the next hours; rule=slot waits for the cheapest slot. Both are
// rivals in Hanafy et al., "Going Green for Less Green" (GAIA), ASPLOS 2024.
//
// Reading guide: policy.go the instant, plan.go the day that is planned, machines.go who is on, market.go
// prices, shift.go the wrapper; package slots has the arithmetic.
package hours
