//go:build !linux

package memory

// addresses is the bound on the process's address space and the part of it that is taken: neither
// is known.
func addresses() (limit, used int64) { return 0, 0 }
