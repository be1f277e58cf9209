package nodes

import (
	"fmt"
	"strconv"
	"strings"
)

// Hosts gives the names of a host list as Slurm writes it: gpu[01-04,07],login1. The error states
// what is wrong.
func Hosts(text string) ([]string, error) {
	var out []string
	for _, one := range outside(text, ',') {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		names, err := expand(one)
		if err != nil {
			return nil, err
		}
		if out = append(out, names...); len(out) > maxNodes {
			return nil, fmt.Errorf("at most %d names", maxNodes)
		}
	}
	return out, nil
}

// expand gives the names of one pattern, in which several brackets may stand.
func expand(pattern string) ([]string, error) {
	head, rest, ok := strings.Cut(pattern, "[")
	if !ok {
		return []string{pattern}, nil
	}
	inside, tail, ok := strings.Cut(rest, "]")
	if !ok {
		return nil, fmt.Errorf("a closing bracket in %q", pattern)
	}
	tails, err := expand(tail)
	if err != nil {
		return nil, err
	}
	var out []string
	for part := range strings.SplitSeq(inside, ",") {
		numbers, err := Span(part)
		if err != nil {
			return nil, err
		}
		if len(out)+len(numbers)*len(tails) > maxNodes {
			return nil, fmt.Errorf("at most %d names in %q", maxNodes, pattern)
		}
		for _, n := range numbers {
			for _, t := range tails {
				out = append(out, head+n+t)
			}
		}
	}
	return out, nil
}

// Span gives the numbers of "7" or "01-04", with the zeros before them.
func Span(part string) ([]string, error) {
	part = strings.TrimSpace(part)
	first, last, ok := strings.Cut(part, "-")
	if !ok {
		last = first
	}
	a, err := strconv.Atoi(first)
	b, err2 := strconv.Atoi(last)
	if err != nil || err2 != nil || !digits(first) || !digits(last) || b < a || b-a >= maxNodes {
		return nil, fmt.Errorf("a number or FIRST-LAST of at most %d in %q", maxNodes, part)
	}
	if a == b {
		return []string{first}, nil
	}
	width := 0
	if strings.HasPrefix(first, "0") {
		width = len(first)
	}
	out := make([]string, 0, b-a+1)
	for n := a; n <= b; n++ {
		out = append(out, fmt.Sprintf("%0*d", width, n))
	}
	return out, nil
}
