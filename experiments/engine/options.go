package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"tarry/sim/param"
)

// refuseOptions is for engines without options of their own.
func refuseOptions(engine string, given map[string]string) error {
	var errs []error
	for _, key := range slices.Sorted(maps.Keys(given)) {
		errs = append(errs, fmt.Errorf("%s: option %s=%q, expected none: this engine has no options", engine, key, given[key]))
	}
	return errors.Join(errs...)
}

// optionReader takes an engine's options one by one; the settings' reader keeps all faults.
type optionReader struct {
	set   *param.Set
	taken map[string]bool
	given map[string]string
}

func readOptions(engine string, given map[string]string) *optionReader {
	return &optionReader{param.FromText(engine, given), map[string]bool{}, given}
}

// fault notes that an option is wrong.
func (r *optionReader) fault(key, value, expected string) {
	r.set.FaultAt(key, "option %s is %q, expected %s", key, value, expected)
}

// take gives an option; false when it is not there.
func (r *optionReader) take(key string) (string, bool) {
	r.taken[key] = true
	_, ok := r.given[key]
	return r.set.Text(key, ""), ok
}

// left lists the options that nobody took.
func (r *optionReader) left() []string {
	var out []string
	for _, key := range r.set.Keys() {
		if !r.taken[key] {
			out = append(out, key)
		}
	}
	return out
}

// text is an option on one line, or fallback.
func (r *optionReader) text(key, fallback string) string {
	v, ok := r.take(key)
	if !ok {
		return fallback
	}
	if v == "" || strings.ContainsAny(v, "\n\r") {
		r.fault(key, v, "a text on one line")
	}
	return v
}

// count is an option that is a whole number of at least low, or fallback.
func (r *optionReader) count(key string, low, fallback int) int {
	v, ok := r.take(key)
	if !ok {
		return fallback
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < low {
		r.fault(key, v, fmt.Sprintf("a whole number >= %d", low))
	}
	return n
}

// flag is an option that is true ("", "true", "yes", "1") or false, or fallback.
func (r *optionReader) flag(key string, fallback bool) bool {
	v, ok := r.take(key)
	if !ok {
		return fallback
	}
	switch v {
	case "", "true", "yes", "1":
		return true
	case "false", "no", "0":
		return false
	}
	r.fault(key, v, "true or false")
	return false
}

// user is an option UID or UID:GID, numbers above 0 as Kubernetes has them; "" = not given.
func (r *optionReader) user(key string) (uid, gid string) {
	v, ok := r.take(key)
	if !ok {
		return "", ""
	}
	uid, gid, both := strings.Cut(v, ":")
	for _, id := range []string{uid, gid} {
		if n, err := strconv.ParseInt(id, 10, 32); (err != nil || n < 1 || strconv.FormatInt(n, 10) != id) && (both || id == uid) {
			r.fault(key, v, "UID or UID:GID, numbers in 1..2147483647 (id -u and id -g print one's own)")
			break
		}
	}
	return uid, gid
}

// pack is the option pack: a number of cells, or a time that cells take together.
func (r *optionReader) pack() (cells int, together time.Duration) {
	v, ok := r.take("pack")
	if !ok {
		return 0, 0
	}
	if n, err := strconv.Atoi(v); err == nil && n >= 1 && n <= maxPack {
		return n, 0
	}
	if d, err := time.ParseDuration(v); err == nil && d >= time.Second {
		return 0, d
	}
	r.fault("pack", v, fmt.Sprintf("a number of cells in 1..%d, or the time that they take together, such as 10m", maxPack))
	return 0, 0
}

// maxPack bounds the cells of an element.
const maxPack = 10_000

// lines is an option of several lines, "" among them dropped.
func (r *optionReader) lines(key string) []string {
	v, _ := r.take(key)
	var out []string
	for _, line := range strings.Split(v, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// rest refuses what nobody took.
func (r *optionReader) rest(known string) error {
	for _, key := range r.left() {
		value, _ := r.take(key)
		r.set.FaultAt(key, "unknown option %s=%q, expected %s", key, value, known)
	}
	return r.set.Err()
}
