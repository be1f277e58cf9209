// Package backfill holds what policies share that reserve GPUs ahead: run times to go by, when
// running jobs are expected to end, and the availability that follows, and the GPUs that are kept
// for a job where there is a rule of places.
//
// Reading guide: ends.go has estimates and expected ends, profile.go the availability as steps in
// time, bounds.go and advance.go the search for earlier places, spot.go kept GPUs.
package backfill
