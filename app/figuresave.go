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
	"tarry/output/figure"
	"tarry/sim/param"
)

// figuresDir is where pictures go.
func figuresDir(c *cli.Context) string {
	if out := c.String("out"); out != "" {
		return out
	}
	return filepath.Join(c.Args().First(), "figures")
}

// labelsOf joins the labels of the policies of folders, which pictures of all folders name with the
// folder too.
func labelsOf(dirs []string) (map[string]string, error) {
	all := map[string]string{}
	names := rundir.Names(dirs)
	for i, dir := range dirs {
		labels, err := rundir.Labels(dir)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, labels)
		for policy, label := range labels {
			all[digest.Together(names[i], policy)] = digest.Together(names[i], label)
		}
	}
	return all, nil
}

// looksOf reads the style of the pictures and their formats.
func looksOf(c *cli.Context) (style figure.Style, formats []string, err error) {
	if style, err = figure.ParseStyle(c.String("style")); err != nil {
		return "", nil, fmt.Errorf("--style: %w", err)
	}
	if !c.IsSet("format") {
		return style, style.Formats(), nil
	}
	known := append(figure.Formats(), "pgf")
	for one := range strings.SplitSeq(c.String("format"), ",") {
		if one = strings.TrimSpace(one); !slices.Contains(known, one) {
			return "", nil, fmt.Errorf("--format: %q, expected some of %s%s", one, strings.Join(known, ", "),
				param.Hint(one, known))
		}
		if !slices.Contains(formats, one) {
			formats = append(formats, one)
		}
	}
	return style, formats, nil
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
	style, formats, err := looksOf(c)
	if err != nil {
		return usageError{err}
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
			f.SetStyle(style)
			if err := f.SaveAs(out, f.Name, formats); err != nil {
				return err
			}
			if _, err := fmt.Fprintf(c.App.Writer, "%s  %s\n", filepath.Join(out, f.Name+".{"+
				strings.Join(formats, ",")+",csv,parquet}"),
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
