package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"tarry/internal/rundir"
)

// kindMany is a folder that holds folders of the other kinds.
const kindMany rundir.Kind = "runs"

// ErrAsked is in every error that is a fault of the question, not of the results: a folder that is
// none of ours, a policy that no trial has.
var ErrAsked = errors.New("report")

// asked is such an error.
func asked(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrAsked, fmt.Errorf(format, args...))
}

// kindOf reports what wrote a folder, or, of kindMany, which folders are in it.
func kindOf(dir string) (rundir.Kind, []rundir.Member, error) {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, asked("%s does not exist, %s", dir, rundir.Expected)
	}
	if err != nil {
		return "", nil, fmt.Errorf("report: %w", err)
	}
	if !info.IsDir() {
		return "", nil, asked("%s is a file, %s", dir, rundir.Expected)
	}
	if kind := rundir.KindOf(dir); kind != "" {
		return kind, nil, nil
	}
	list, err := rundir.Members(dir)
	switch {
	case err != nil:
		return "", nil, fmt.Errorf("report: %w", err)
	case len(list) == 0:
		return "", nil, asked("%s has no sweep.json, trials, evals, curves or tune, and no folder in it has: %s", dir,
			rundir.Expected)
	}
	return kindMany, list, nil
}

// nothingYet reports whether a folder may still become one with results: it is not there, or has at
// most the files with which a run begins.
func nothingYet(dir string) bool {
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		_, err := os.Lstat(dir)
		return err != nil // else a link that leads nowhere
	}
	return err == nil && !slices.ContainsFunc(list, func(d fs.DirEntry) bool {
		return !strings.HasPrefix(d.Name(), ".") && !slices.Contains([]string{"config.json", "windows.json", "lock",
			"report.html", "intervals", "jobs", "cluster", "power", "services", "predictions",
			"measures"}, d.Name()) // trials is last
	})
}
