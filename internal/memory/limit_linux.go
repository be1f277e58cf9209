package memory

import (
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// addresses is the bound on the process's address space and the part of it that is taken, in bytes;
// a bound of 0 is none.
func addresses() (limit, used int64) {
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &r); err != nil || r.Cur >= math.MaxInt64 {
		return 0, 0
	}
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, 0
	}
	first, _, _ := strings.Cut(string(text), " ")
	pages, err := strconv.ParseInt(first, 10, 64)
	if err != nil {
		return 0, 0
	}
	return int64(r.Cur), pages * int64(os.Getpagesize())
}
