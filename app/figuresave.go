package app

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
	"tarry/internal/rundir"
	"tarry/sim/param"
)

// figuresDir is where pictures go.
func figuresDir(c *cli.Context) string {
	if out := c.String("out"); out != "" {
		return out
	}
	return filepath.Join(c.Args().First(), "figures")
}

// labelsOf joins the labels of the policies of folders.
func labelsOf(dirs []string) (map[string]string, error) {
	all := map[string]string{}
	for _, dir := range dirs {
		labels, err := rundir.Labels(dir)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, labels)
	}
	return all, nil
}

// saveFigures writes what was drawn and chosen of folders, and reports what could not be drawn.
func saveFigures(c *cli.Context, dirs []string, figures []sweep.Figure, drawErr error) error {
	if err := c.Context.Err(); err != nil {
		return err
	}
	labels, err := labelsOf(dirs)
	if err != nil {
		return err
	}
	all := figures
	figures, err = onlyThese(figures, c.String("only"))
	if err != nil {
		return errors.Join(drawErr, usageError{err})
	}
	if len(figures) == 0 { // no folder for nothing
		return drawErr
	}
	if len(all) > 0 { // it is no fault that policies turned jobs away: what remains is drawn
		drawErr = noteUneven(c, drawErr)
	}
	out := figuresDir(c)
	err = pictureFolder("--out").fill(out, func() error {
		for _, f := range figures {
			f.Label(labels)
			if err := f.Save(out, f.Name); err != nil {
				return err
			}
			if _, err := fmt.Fprintf(c.App.Writer, "%s  %s\n", filepath.Join(out, f.Name+".{png,svg,pdf,csv,parquet}"),
				f.Caption); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, drawErr)
}

// noteUneven writes the figures that are left out since policies finished different jobs as
// remarks, and gives the other errors.
func noteUneven(c *cli.Context, err error) error {
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		if errors.Is(err, digest.ErrUneven) {
			note(c, "left out: %v", err)
			return nil
		}
		return err
	}
	var rest []error
	for _, one := range joined.Unwrap() {
		rest = append(rest, noteUneven(c, one))
	}
	return errors.Join(rest...)
}

// onlyThese keeps the figures that were named; all for "".
func onlyThese(figures []sweep.Figure, only string) ([]sweep.Figure, error) {
	if only == "" {
		return figures, nil
	}
	var out []sweep.Figure
	var names []string
	for _, f := range figures {
		names = append(names, f.Name)
	}
	var errs []error
	for name := range strings.SplitSeq(only, ",") {
		i := slices.Index(names, strings.TrimSpace(name))
		if i < 0 {
			errs = append(errs, fmt.Errorf("--only: no figure is called %q, expected some of %s%s", name,
				strings.Join(names, ", "), param.Hint(name, names)))
			continue
		}
		out = append(out, figures[i])
	}
	return out, errors.Join(errs...)
}
