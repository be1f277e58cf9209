package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"tarry/agents/nn"
	agents "tarry/agents/registry"
	"tarry/internal/rundir"
	"tarry/output/results"
)

// longer reports whether two configurations differ only in that the second run may last longer; the
// error reports in what else they differ.
func longer(was, now []byte) error {
	a, err1 := flat(was)
	b, err2 := flat(now)
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("%s: %w", configName, err)
	}
	var errs []error
	for _, k := range []string{"total_steps", "patience"} {
		x, y := number(a[k]), number(b[k])
		if more := y > x || k == "patience" && y == 0; k == "patience" && x == 0 || !more {
			if x != y {
				errs = append(errs, fmt.Errorf("%s was %s, now %s: a run can be made longer, not shorter", k, a[k],
					b[k]))
			}
		}
		delete(a, k)
		delete(b, k)
	}
	for k := range b {
		if a[k] != b[k] {
			return differences(was, now)
		}
	}
	if len(a) != len(b) {
		return differences(was, now)
	}
	return errors.Join(errs...)
}

// number reads a setting that is a whole number; 0 if it is none.
func number(text string) (n int) {
	if json.Unmarshal([]byte(text), &n) != nil {
		return 0
	}
	return n
}

// pending gives the configuration of an extension of the run in a folder that was cut short; nil =
// none was.
func pending(dir string) ([]byte, error) {
	text, err := rundir.ReadFile(filepath.Join(dir, longerName))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// extend makes the run in the folder, of the configuration was, the beginning of a longer one. The
// configuration is reported first and written last: Recorded gives it, so that between the two
// --resume begins anew.
func (r *run) extend(was, now []byte) error {
	old := header{Config: sum(was), Windows: r.head.Windows}
	files := map[string][]byte{}
	for _, name := range []string{bestName, lastName} {
		data, err := rundir.ReadFile(r.file(name))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil {
			files[name], err = r.rebind(data, old)
		}
		if err != nil {
			return fmt.Errorf("checkpoint %s: %w", r.file(name), err)
		}
	}
	if len(files) == 0 {
		return nil // nothing was made yet
	}
	if err := results.WriteFile(r.file(longerName), now); err != nil {
		return err
	}
	if err := os.Remove(r.file(results.ManifestName)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, name := range []string{bestName, lastName} {
		if data := files[name]; data != nil {
			if err := results.WriteFile(r.file(name), data); err != nil {
				return err
			}
		}
	}
	return results.WriteFile(r.file(configName), now)
}

// rebind makes a checkpoint one of the present configuration.
func (r *run) rebind(data []byte, old header) ([]byte, error) {
	if _, _, err := decode(data, r.head); err == nil {
		return data, nil // an extension that was killed got this far
	}
	st, learner, err := decode(data, old)
	if err == nil {
		err = nn.SameArithmetic(st.arithmetic)
	}
	if err != nil {
		return nil, err
	}
	e, ok := r.cfg.agent.(agents.Extender)
	if !ok {
		return nil, fmt.Errorf("runs of agent %s cannot be made longer, expected a new run", r.cfg.Agent)
	}
	if learner, err = e.Extend(learner); err != nil {
		return nil, err
	}
	st.Stopped = r.cfg.Patience > 0 && st.Stale >= r.cfg.Patience
	return st.encode(r.head, learner)
}
