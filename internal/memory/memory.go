// Package memory states how much memory a process may still take.
package memory

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Free is what the system states can be had without swapping, in bytes, or what the process's
// control group or its own limit still allows if that is less; 0 (no bound) where none of them is
// known.
func Free() int64 {
	least := available()
	take := func(limit, used int64) {
		if left := max(limit-used, 1); limit > 0 && used >= 0 && (least == 0 || left < least) {
			least = left
		}
	}
	take(number("/sys/fs/cgroup/memory.max"), number("/sys/fs/cgroup/memory.current"))
	take(addresses())
	return least
}

// available is the system's estimate; 0 where it has none.
func available() int64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		if v, ok := strings.CutPrefix(line, "MemAvailable:"); ok {
			if kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(v), " kB"), 10, 64); err == nil {
				return kib * 1024
			}
		}
	}
	return 0
}

// number reads a file that holds a number; -1 where there is none.
func number(path string) int64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return -1
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// Text gives bytes for people: 1.5 GiB.
func Text(bytes int64) string {
	const kib, mib, gib = 1 << 10, 1 << 20, 1 << 30
	switch {
	case bytes >= gib:
		return fmt.Sprintf("%.3g GiB", float64(bytes)/gib)
	case bytes >= mib:
		return fmt.Sprintf("%.3g MiB", float64(bytes)/mib)
	}
	return fmt.Sprintf("%.3g KiB", float64(bytes)/kib)
}
