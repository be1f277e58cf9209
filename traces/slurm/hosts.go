package slurm

import (
	"fmt"
	"strings"
)

// maxHosts bounds the nodes of one list.
const maxHosts = 100_000

// hosts expands a list of nodes such as gpu[01-03,07],node5; nil = it is none.
func hosts(list string) []string {
	var out []string
	for list != "" {
		end, depth := len(list), 0
		for i := range len(list) {
			switch c := list[i]; {
			case c == '[':
				depth++
			case c == ']':
				depth--
			case c == ',' && depth == 0:
				end = i
			}
			if end < len(list) {
				break
			}
		}
		out = expand(out, "", list[:end])
		if out == nil || len(out) > maxHosts {
			return nil
		}
		list = strings.TrimPrefix(list[end:], ",")
	}
	return out
}

// expand appends the nodes of one name with ranges in brackets; nil = it is not one.
func expand(out []string, before, name string) []string {
	head, rest, found := strings.Cut(name, "[")
	if !found {
		return append(out, before+name)
	}
	ranges, rest, found := strings.Cut(rest, "]")
	if !found {
		return nil
	}
	for r := range strings.SplitSeq(ranges, ",") {
		lo, hi, found := strings.Cut(r, "-")
		if !found {
			hi = lo
		}
		a, ok := count(lo)
		b, ok2 := count(hi)
		if !ok || !ok2 || b < a || b-a > maxHosts {
			return nil
		}
		for n := a; n <= b && out != nil || n == a; n++ {
			if out = expand(out, fmt.Sprintf("%s%s%0*d", before, head, len(lo), n), rest); len(out) > maxHosts {
				return nil
			}
		}
		if out == nil {
			return nil
		}
	}
	return out
}
