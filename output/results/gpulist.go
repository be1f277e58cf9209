package results

import (
	"fmt"
	"strconv"
	"strings"
)

// FormatGPUs writes ascending GPU numbers as ranges, "0-7,12"; "" for none.
func FormatGPUs[G ~int32](gpus []G) string {
	var short [64]byte
	b := short[:0]
	for i := 0; i < len(gpus); {
		j := i
		for j+1 < len(gpus) && gpus[j+1] == gpus[j]+1 {
			j++
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(gpus[i]), 10)
		if j > i {
			b = append(b, '-')
			b = strconv.AppendInt(b, int64(gpus[j]), 10)
		}
		i = j + 1
	}
	return string(b)
}

// maxListed bounds what one text may expand to: larger than any cluster.
const maxListed = 1 << 24

// ParseGPUs reads what FormatGPUs wrote: ascending, no number twice.
func ParseGPUs[G ~int32](s string) ([]G, error) {
	var gpus []G
	if s == "" {
		return nil, nil
	}
	for _, part := range strings.Split(s, ",") {
		from, to, ok := strings.Cut(part, "-")
		if !ok {
			to = from
		}
		lo, err1 := strconv.ParseInt(from, 10, 32)
		hi, err2 := strconv.ParseInt(to, 10, 32)
		switch {
		case err1 != nil || err2 != nil || lo < 0 || hi < lo:
			return nil, fmt.Errorf("GPU list %q: %q is not a number or an ascending range", s, part)
		case len(gpus) > 0 && int64(gpus[len(gpus)-1]) >= lo:
			return nil, fmt.Errorf("GPU list %q: %q does not ascend", s, part)
		case hi-lo >= maxListed:
			return nil, fmt.Errorf("GPU list %q: %q has more than %d GPUs", s, part, maxListed)
		}
		for g := lo; g <= hi; g++ {
			gpus = append(gpus, G(g))
		}
	}
	return gpus, nil
}
