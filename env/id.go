package env

import (
	"fmt"
	"strconv"
	"strings"
)

// ID is the name of an environment in its three parts.
type ID struct {
	// Namespace groups environments: "tarry", "classic", "probe"; "" = none.
	Namespace string
	// Name is the environment's own.
	Name string
	// Version rises whenever the same seeds and actions would give other results.
	Version int
}

// String writes "namespace/Name-vN".
func (id ID) String() string {
	s := fmt.Sprintf("%s-v%d", id.Name, id.Version)
	if id.Namespace != "" {
		s = id.Namespace + "/" + s
	}
	return s
}

// ParseID reads "namespace/Name-vN"; a colon, which starts options, is in no id. The namespace may
// be missing, the version may not: a result whose version is unknown cannot be repeated.
func ParseID(s string) (ID, error) {
	var id ID
	rest := s
	if ns, name, ok := strings.Cut(s, "/"); ok {
		if !isWord(ns, false) {
			return ID{}, fmt.Errorf("environment id %q: namespace is %q, expected letters, digits, _ -", s, ns)
		}
		id.Namespace, rest = ns, name
	}
	i := strings.LastIndex(rest, "-v")
	if i < 0 {
		return ID{}, fmt.Errorf("environment id %q: no version, expected namespace/Name-vN", s)
	}
	v, err := strconv.ParseUint(rest[i+2:], 10, 31)
	if err != nil || strconv.FormatUint(v, 10) != rest[i+2:] {
		return ID{}, fmt.Errorf("environment id %q: version is %q, expected a whole number", s, rest[i+2:])
	}
	if !isWord(rest[:i], true) {
		return ID{}, fmt.Errorf("environment id %q: name is %q, expected letters, digits, _ . -", s, rest[:i])
	}
	id.Name, id.Version = rest[:i], int(v)
	return id, nil
}

func isWord(s string, dots bool) bool {
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-', dots && r == '.':
		default:
			return false
		}
	}
	return s != ""
}
