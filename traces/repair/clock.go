package repair

import (
	"fmt"
	"time"

	"tarry/sim"
)

// clock takes submits as local times: they are put on a clock without summer time, on which the
// first submit stays where it is.
func (k *work) clock() error {
	r := k.report
	if r.Local == 0 || r.StartMicros == 0 {
		return nil // numbers, or times with a zone
	}
	if r.Local < r.Kept {
		return fmt.Errorf("%d of %d submits have no time zone, expected all or none for the rule %s", r.Local, r.Kept,
			clock)
	}
	first := k.jobs[0].Submit // they are in order
	wall := func(t sim.Time) int64 { return r.StartMicros + int64(t-first) }
	utc := make([]int64, len(k.jobs))
	earliest := int64(0)
	for i := range k.jobs {
		utc[i] = universal(wall(k.jobs[i].Submit), k.opt.Zone)
		if i == 0 || utc[i] < earliest {
			earliest = utc[i]
		}
	}
	for i := range k.jobs {
		j := &k.jobs[i]
		if j.Deadline > 0 {
			j.Deadline = max(1, first+sim.Time(universal(wall(j.Deadline), k.opt.Zone)-earliest))
		}
		if t := first + sim.Time(utc[i]-earliest); t != j.Submit {
			k.note(j, "submit_s", seconds(j.Submit), seconds(t), clock, "local time of "+k.opt.Zone.String())
			j.Submit = t
		}
	}
	return nil
}

// universal gives the instant of a local time, both in microseconds since 1970. Of an hour that is
// there twice it takes the first; an hour that is missing is read with the clock before it.
func universal(local int64, zone *time.Location) int64 {
	const day = 24 * 3600 * 1e6
	offset := func(utc int64) int64 {
		_, s := time.UnixMicro(utc).In(zone).Zone()
		return int64(s) * 1e6
	}
	before, after := local-offset(local-day), local-offset(local+day)
	if before+offset(before) != local && after+offset(after) == local {
		return after
	}
	return before
}
