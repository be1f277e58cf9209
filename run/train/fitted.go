package train

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"tarry/env/registry"
	"tarry/internal/rundir"
	"tarry/run/parts"
)

// Windows gives the text of windows.json of something that is no agent but is fitted on the windows
// of training of an environment, and chosen on so many windows of validation.
func Windows(from *parts.Catalogues, envText string, validation int) ([]byte, error) {
	c := Config{Env: envText, found: envText, from: from, maker: from.Maker(),
		Schedule: Schedule{ValidateEpisodes: validation}}
	if err := c.checkEnv(); err != nil {
		return nil, err
	}
	s, err := windowsOf(&c, 1)
	if err != nil {
		return nil, err
	}
	return s.json()
}

// Locate gives the text of an environment with the path at which the trace of the run in a folder
// is now; the error states that it is not there.
func Locate(from *parts.Catalogues, dir, envText string) (string, error) {
	return locate(from.Traces, nil, dir, envText)
}

// Fitted opens what the windows.json in a folder states of the jobs that were seen, as a Trained
// without an agent. m is as in OpenWith; it may be nil.
func Fitted(from *parts.Catalogues, m *registry.Maker, dir, envText string) (*Trained, error) {
	text, err := rundir.ReadFile(filepath.Join(dir, windowsName))
	if err != nil {
		return nil, err
	}
	t := &Trained{Config: Config{Env: envText}}
	t.Config.found, t.Config.lost = locate(from.Traces, m, dir, envText)
	return t, t.recall(text)
}

// recall reads a windows.json.
func (t *Trained) recall(text []byte) error {
	var s seen
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("%s: %w", windowsName, err)
	}
	return t.take(&s)
}

// take takes over what was seen.
func (t *Trained) take(s *seen) (err error) {
	if t.jobs, err = readMarks(s); err != nil {
		return fmt.Errorf("%s: %w", windowsName, err)
	}
	t.Seen = map[string]string{}
	for i, h := range s.Validation {
		t.Seen[h] = fmt.Sprintf("validation window %d", i)
	}
	for i, h := range s.Train {
		t.Seen[h] = fmt.Sprintf("training window %d", i)
	}
	return nil
}
