// Package queueing holds the textbook queue orders that every scheduler is measured against.
//
//	name          order                              preempts     reads
//	fifo          arrival; the head blocks           no           nothing
//	fit-first     arrival; misfits are passed over   no           nothing
//	sjf           run time                           no           work
//	srtf          remaining run time                 every event  work
//	srsf          remaining run time x GPUs          every event  work
//	las           attained service                   every round  nothing
//	easy          arrival, backfilled behind one     no           estimate
//	              reservation for the head
//	conservative  arrival, backfilled behind a       no           estimate
//	              reservation for every job
//	deadline-     deadline                           every event  nothing, with admission work
//	first
//	picked        a score; the picked job stays first   no       estimate, with order=fcfs and no backfilling nothing
//	wfp3, unicep, a score; the head blocks, or has a   no       estimate
//	f1 to f4      reservation as in easy
//
// With by=request what reads estimates reads the users' requests instead, and so nothing that is
// not public.
//
// All break ties by (submit, id), place by consolidation (slot,
// machine, rack, cluster: the finest level that has the GPUs now) unless consolidation is required
// (place=consolidate) and handle all events of an instant before they decide. Run time is work /
// GPUs: what the job would take at full speed without communication, which is what a trace's
// duration states. Where the speed model adds communication, policies still rank by that number: we
// differ from a scheduler that could foresee its own placements.
//
// A job that can never be placed for its CPU or memory waits for ever, and blocks fifo; one that
// needs more GPUs than the cluster has is refused by the kernel at its arrival.
package queueing
