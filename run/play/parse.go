package play

import (
	"errors"
	"fmt"
	"strings"

	"tarry/run/config"
	"tarry/sim/setting"
)

// Parse reads the words behind "tarry compare": --policy, which may be repeated, and the flags of
// settings, each with its value in the next word or behind "=". The error joins every fault.
func Parse(words []string) (*config.Config, error) {
	c := config.Default()
	put := flags(&c)
	var errs []error
	for len(words) > 0 {
		name, value, whole := strings.Cut(words[0], "=")
		if words = words[1:]; !whole && len(words) > 0 {
			value, words = words[0], words[1:]
		} else if !whole {
			errs = append(errs, fmt.Errorf("%s has no value", name))
			break
		}
		if set := put[name]; set == nil {
			errs = append(errs, fmt.Errorf("%s is not a flag of a setting", name))
		} else if err := set(value); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
	}
	return &c, errors.Join(errs...)
}

// flags gives for each flag what its value does. A preset is none of them: it changes the defaults
// of other settings.
func flags(c *config.Config) map[string]func(value string) error {
	put := map[string]func(string) error{"--policy": func(spec string) error {
		c.Policies = append(c.Policies, spec)
		c.Mark("policies", "--policy")
		return nil
	}}
	rows := c.Settings()
	setting.Walk(rows, func(key string, r *setting.Row) {
		if r.Flag == "" || r.Flag == "preset" || !r.Settable() {
			return
		}
		put["--"+r.Flag] = func(value string) error {
			c.Mark(key, "--"+r.Flag)
			return r.Put(value)
		}
	})
	return put
}
