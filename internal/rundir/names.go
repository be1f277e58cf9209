package rundir

import (
	"path/filepath"
	"slices"
	"strings"
)

// Names gives each folder the shortest end of its path that no other of them has, with slashes:
// "a" and "b" of runs/a and runs/b, "old/a" and "new/a" where both end in a. Equal folders have
// equal names.
func Names(dirs []string) []string {
	paths := make([][]string, len(dirs))
	for i, dir := range dirs {
		full, err := filepath.Abs(dir)
		if err != nil {
			full = filepath.Clean(dir)
		}
		paths[i] = strings.Split(filepath.ToSlash(full), "/")
	}
	ending := func(path []string, n int) string { return strings.Join(path[max(0, len(path)-n):], "/") }
	out := make([]string, len(dirs))
	for n := 1; slices.Contains(out, ""); n++ {
		first := map[string]int{} // the first folder with an ending, -1 = different ones have it
		for i, p := range paths {
			end := ending(p, n)
			if k, ok := first[end]; !ok {
				first[end] = i
			} else if k >= 0 && !slices.Equal(paths[k], p) {
				first[end] = -1
			}
		}
		for i, p := range paths {
			if end := ending(p, n); out[i] == "" && (first[end] >= 0 || n >= len(p)) {
				out[i] = end
			}
		}
		if n > 4096 { // longer than a path may be: the root, whose name is empty
			break
		}
	}
	return out
}
