// Package natural is the order of ids: numbers by value, before other names in byte order, so that
// "9" precedes "10"; numbers of one value by their bytes.
package natural

import "cmp"

// Compare gives -1, 0 or +1 as a stands before b, is b, or stands after it.
func Compare(a, b string) int {
	an, bn := digits(a), digits(b)
	switch {
	case an && bn:
		a1, b1 := trimZeros(a), trimZeros(b)
		if c := cmp.Compare(len(a1), len(b1)); c != 0 {
			return c
		}
		if c := cmp.Compare(a1, b1); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	case an:
		return -1
	case bn:
		return 1
	}
	return cmp.Compare(a, b)
}

func digits(s string) bool {
	if s == "" {
		return false
	}
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

func trimZeros(s string) string {
	for len(s) > 1 && s[0] == '0' {
		s = s[1:]
	}
	return s
}
