// Package learn is what all learners tell and keep in the same way: the figures of an update, the
// tally of the last episodes, and the frame of a checkpoint.
//
// Reading guide. Row and ErrDiverged (row.go) are what an update gives; Tally (tally.go) counts
// episodes; Open, SameConfig and SameSpec (checkpoint.go) read a checkpoint and refuse one of
// another run.
package learn
