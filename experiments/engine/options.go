package engine

import (
	"fmt"
	"strconv"
	"strings"

	"tarry/sim/param"
)

// refuseOptions is for engines without options of their own.
func refuseOptions(engine string, given map[string]string, at map[string]param.Place) error {
	r := ReadOptions(engine, given, at)
	for _, key := range r.Left() {
		value, _ := r.Take(key)
		r.set.FaultAt(key, "option %s=%q, expected none: engine %s has no options", key, value, engine)
	}
	return r.Err()
}

// Options takes an engine's options one by one; the reader of settings keeps all faults.
type Options struct {
	set   *param.Set
	taken map[string]bool
	given map[string]string
}

// ReadOptions starts with the options that are given to an engine; at states where options of a
// file were written, and may be nil.
func ReadOptions(engine string, given map[string]string, at map[string]param.Place) *Options {
	return &Options{param.FromText(engine, given, at), map[string]bool{}, given}
}

// Fault notes that an option is wrong.
func (r *Options) Fault(key, value, expected string) {
	r.set.FaultAt(key, "option %s is %q, expected %s", key, value, expected)
}

// Take gives an option; false when it is not there.
func (r *Options) Take(key string) (string, bool) {
	r.taken[key] = true
	_, ok := r.given[key]
	return r.set.Text(key, ""), ok
}

// Left lists the options that were not read.
func (r *Options) Left() []string {
	var out []string
	for _, key := range r.set.Keys() {
		if !r.taken[key] {
			out = append(out, key)
		}
	}
	return out
}

// Text is an option on one line, or fallback.
func (r *Options) Text(key, fallback string) string {
	v, ok := r.Take(key)
	if !ok {
		return fallback
	}
	if v == "" || strings.ContainsAny(v, "\n\r") {
		r.Fault(key, v, "a text on one line")
	}
	return v
}

// Count is an option that is a whole number of at least low, or fallback.
func (r *Options) Count(key string, low, fallback int) int {
	v, ok := r.Take(key)
	if !ok {
		return fallback
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < low {
		r.Fault(key, v, fmt.Sprintf("a whole number >= %d", low))
	}
	return n
}

// Flag is an option that is true ("", "true", "yes", "1") or false, or fallback.
func (r *Options) Flag(key string, fallback bool) bool {
	v, ok := r.Take(key)
	if !ok {
		return fallback
	}
	switch v {
	case "", "true", "yes", "1":
		return true
	case "false", "no", "0":
		return false
	}
	r.Fault(key, v, "true or false")
	return false
}

// Lines is an option of several lines, "" among them dropped.
func (r *Options) Lines(key string) []string {
	v, _ := r.Take(key)
	var out []string
	for _, line := range strings.Split(v, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// Rest refuses options that were not read.
func (r *Options) Rest(known string) error {
	for _, key := range r.Left() {
		value, _ := r.Take(key)
		r.set.FaultAt(key, "unknown option %s=%q, expected %s", key, value, known)
	}
	return r.Err()
}

// Err reports every fault so far.
func (r *Options) Err() error { return r.set.Err() }
