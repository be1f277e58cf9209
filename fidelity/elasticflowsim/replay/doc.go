// Package replay is the clock and the books of ElasticFlow's own simulator (Gu et al., ASPLOS 2023;
// github.com/pkusys/ElasticFlow): what it decides when, to the second, so that its published runs
// can be compared with. It is independent of the kernel: jobs arrive, Due states when the next
// decision is, Step takes it.
//
// Reading guide: run.go has the books and the order of a decision; due.go the events and how they
// are merged; share.go the minimum satisfactory share, earliest.go the elastic earliest deadline
// first; surplus.go who gets the rest; blocks.go where jobs run, on which the overhead depends.
// profile.go is a step function of time.
//
// # Habits
//
//   - Time is whole seconds. Events closer than a slot to the last decision wait until it is a slot
//     old, job ends too; a job that has ended keeps its planned end. A single event that is the
//     last of all is not moved.
//   - A planned release is moved to a whole number of slots from now. Under edf it overwrites a
//     release at that time, and with it what becomes free there.
//   - The schedules with admission ask for the arrivals of one decision together (ef-accessctrl) or
//     one by one (edf-accessctrl).
//   - ef-accessctrl judges a job by its real end, in whole seconds, and logs the planned one, in
//     whole slots. Two states of the program differ in the real end of a job that gets surplus
//     GPUs: Config.Base.
//   - The end of a job and a change of some plan at the same second are one event. A job whose end
//     moves, by a new plan or by its overhead, takes that event with it unless something else ends
//     or arrives there: under ef the change of the plan is then no event of its own (due.go, move).
//   - Overheads are charged at every decision to every job that runs, whether it moves or not: see
//     overhead.
package replay
