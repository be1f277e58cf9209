// Package backfill holds what policies share that reserve GPUs ahead: run times to go by, when running jobs are expected to end, and the
// availability that follows.
//
// Reading guide: ends.go has estimates and expected ends, profile.go the availability as steps in time.
package backfill
