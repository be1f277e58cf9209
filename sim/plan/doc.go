// Package plan holds the mechanics that scheduling policies share: an index of waiting jobs by what
// can unblock them, a planner for orders that preempt, and consolidated placement.
//
// Reading guide: Queue holds the waiting jobs, one tree per demand, so that a demand that does not
// fit is passed over at once with every job that has it. Placer chooses GPUs and keeps the account
// of what the decision being made has given out. Fill starts waiting jobs in order; Rebuild also
// preempts. Heap orders jobs or machines by a key. Roster plans orders that preempt with explicit
// lists, at more cost. Target takes a state of the cluster, job by job, and finds the decisions
// that lead there (target.go what changes, targetwrite.go in which order). Sizer takes numbers of
// GPUs instead, and chooses the GPUs itself; Curves are speeds by number. Alarm asks for one timer
// of a policy. Join and RaiseShares (tickets.go) put one job beside others on GPUs that a policy
// chose; colocate.Board, which chooses them for many jobs at once and preempts none, shares Ticket
// alone with them. Nothing here allocates once warm, and no call looks at every waiting job or at
// every machine, but for Roster and the exceptions that Placer states.
package plan
