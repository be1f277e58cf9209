//go:build !unix

package queueing_test

import (
	"testing"
	"time"
)

// cpuTime stands in with time by the clock where processor time is not there to be read.
func cpuTime(*testing.B) time.Duration { return time.Duration(time.Now().UnixNano()) }
