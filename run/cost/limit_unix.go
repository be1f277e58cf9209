//go:build unix

package cost

import "syscall"

// limitProcessor has the system kill this process when it has used so many seconds of processor
// time.
func limitProcessor(seconds int) error {
	most := syscall.Rlimit{Cur: uint64(seconds), Max: uint64(seconds)}
	return syscall.Setrlimit(syscall.RLIMIT_CPU, &most)
}
