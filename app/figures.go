package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/experiments/digest"
	"tarry/experiments/sweep"
	"tarry/output/figure"
	"tarry/output/results"
)

func (from program) figuresCommand() *cli.Command {
	return &cli.Command{
		Name:  "figures",
		Usage: "draw the figures of a sweep, a comparison or training runs from their tables",
		UsageText: "tarry figures runs/load\n" +
			"tarry figures runs/load --question load --out paper/figures --only jct_mean,jct_relative\n" +
			"tarry figures runs/mine --where racks=2 --where costs.restore_s=30\n" +
			"tarry figures runs/compare --style paper --format pdf",
		Description: "A sweep of a shipped question (tarry list questions) gets the figures of that question, any " +
			"other sweep the figures that its\n" +
			"axes suggest. Every figure is NAME.png, .svg and .pdf with what is drawn as NAME.csv and NAME.parquet " +
			"beside it, and depends on the\n" +
			"tables alone: the same tables give the same bytes. Several folders are read as one, and so are the " +
			"sweeps in a folder that a question of several sweeps filled. A folder of compare\n" +
			"(--out) gets the pictures of its --plot, and several get pictures of all " +
			"in one besides; one or several folders of train, or the folder that they are " +
			"in, get learning curves over\n" +
			"their seeds, with the return of the imitated baseline, or of Dally, on the same validation windows.\n\n" +
			"Intervals are over seeds, replicates and windows. An axis of the sweep that a figure does not show " +
			"makes panels; where these would\n" +
			"be too many, the figure states that it averages over the axis, and --where chooses a value.",
		ArgsUsage: "DIR...",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "question", Usage: "draw the figures of the question `NAME`, or of a question's " +
				"file, whatever the sweep is called"},
			&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "the pictures' `DIR`; by default the folder " +
				"figures in the (first) sweep's folder"},
			&cli.StringSliceFlag{Name: "tables", Usage: "fill the question's tables into the Markdown `FILE` " +
				"instead, between <!-- table QUESTION/NAME --> and <!-- end -->; repeatable: each table must have a " +
				"place in one of them, but for --tables-csv"},
			&cli.StringFlag{Name: "tables-csv", Usage: "with --tables: write each table as QUESTION-NAME.csv into " +
				"`DIR`, too"},
			&cli.StringSliceFlag{Name: "where", Usage: "only the cells with `AXIS=VALUE`; repeatable: values of one " +
				"axis are alternatives, different axes must all match"},
			&cli.StringFlag{Name: "style", Value: string(figure.Screen), Usage: "`STYLE` of the pictures: screen; " +
				"paper, 3.3 inches wide with text of 8 points; or talk, 7 inches with text of 20 points"},
			&cli.StringFlag{Name: "format", Usage: "`FORMAT,...` of the pictures among svg, png, pdf and pgf (for " +
				"\\input in LaTeX); by default png, svg and pdf, with --style paper pdf and pgf"},
			&cli.StringFlag{Name: "only", Usage: "draw these only, `NAME,...`"},
		},
		OnUsageError: onUsageError,
		Action:       anyOrder(from.runFigures),
	}
}

func (from program) runFigures(c *cli.Context) error {
	given := c.Args().Slice()
	if len(given) == 0 {
		return usageError{errors.New("no folder, expected the DIR of a sweep")}
	}
	if _, _, err := looksOf(c); err != nil {
		return usageError{err}
	}
	dirs := sweepsWithin(given)
	if runs := runsOf(dirs); runs != nil {
		return from.figuresOfRuns(c, runs)
	}
	d, err := sweep.OpenData(dirs...)
	if err != nil {
		return usageError{err}
	}
	d.From = &from.Catalogues
	if err := d.Where(c.StringSlice("where")...); err != nil {
		return usageError{fmt.Errorf("--where: %w", err)}
	}
	q, err := from.questionOf(c, d)
	if err != nil {
		return usageError{err}
	}
	if !slices.Equal(dirs, given) && q.Specs != nil { // no order was given
		d.Order(q.Specs(sweep.Small))
	}
	if files := c.StringSlice("tables"); len(files) > 0 {
		return fillTables(c, q, d, files)
	}
	if c.IsSet("tables-csv") {
		return usageError{errors.New(
			"--tables-csv without --tables, expected the pages that the tables are on as well")}
	}
	if err := someDone(d); err != nil {
		return err
	}
	if err := pictureFolder("--out").free(figuresDir(c)); err != nil {
		return err
	}
	figures, drawErr := q.Figures(c.Context, d) // what could be drawn is kept
	return saveFigures(c, dirs, figures, drawErr)
}

// sweepsWithin gives the sweeps of folders: a folder that is none, but has sweeps in it, stands for
// these in order of name. So is the folder that a question of several sweeps fills.
func sweepsWithin(dirs []string) []string {
	var out []string
	for _, dir := range dirs {
		within := []string{dir}
		// what cannot be read is not a sweep's, as Open states
		if entries, err := os.ReadDir(dir); err == nil && !isSweep(dir) {
			within = nil
			for _, e := range entries {
				if one := filepath.Join(dir, e.Name()); e.IsDir() && isSweep(one) {
					within = append(within, one)
				}
			}
			if within == nil {
				within = []string{dir}
			}
		}
		out = append(out, within...)
	}
	return out
}

func isSweep(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "sweep.json"))
	return err == nil
}

// runsOf gives the runs of folders none of which is a sweep's; nil = there are none.
func runsOf(dirs []string) *digest.Runs {
	if slices.ContainsFunc(dirs, isSweep) {
		return nil
	}
	runs, err := digest.FindRuns(dirs...)
	if err != nil {
		return nil // the error of a sweep's folder states what is expected
	}
	return runs
}

// figuresOfRuns draws folders of compare and of train, which no question is about.
func (from program) figuresOfRuns(c *cli.Context, runs *digest.Runs) error {
	for _, flag := range []string{"question", "tables", "tables-csv", "where"} {
		if c.IsSet(flag) {
			return usageError{fmt.Errorf("--%s is about sweeps, and %s is none", flag, c.Args().First())}
		}
	}
	if err := pictureFolder("--out").free(figuresDir(c)); err != nil {
		return err
	}
	figures, drawErr := runs.Figures(c.Context, &from.Catalogues)
	return saveFigures(c, runs.Dirs(), figures, drawErr)
}

// questionOf finds who draws the sweeps: the question that was asked for, or that has a sweep of
// this name, or else the general one.
func (from program) questionOf(c *cli.Context, d *sweep.Data) (sweep.Question, error) {
	if name := c.String("question"); name != "" {
		q, err := from.findQuestion(name)
		if err == nil {
			err = fits(&q, d)
		}
		return q, err
	}
	for _, q := range from.Questions.Opened() {
		for _, s := range q.Specs(sweep.Small) {
			if s.Name == d.Folders[0].Spec.Name && fits(&q, d) == nil { // a file may have a name like a question's
				return q, nil
			}
		}
	}
	return sweep.Question{Name: "of no shipped question", Figures: digest.Generic}, nil
}

// fillTables writes the tables of a question into its pages and, if asked, each as CSV.
func fillTables(c *cli.Context, q sweep.Question, d *sweep.Data, files []string) error {
	if q.Tables == nil {
		return usageError{fmt.Errorf("--tables: the sweep is %s, which has no tables for a page", q.Name)}
	}
	pages := make([]string, len(files))
	for i, file := range files {
		page, err := os.ReadFile(file)
		if err != nil {
			return usageError{fmt.Errorf("--tables: %w", err)}
		}
		pages[i] = string(page)
	}
	made, err := q.Tables(c.Context, d)
	if err != nil {
		return err
	}
	filled, err := digest.Fill(pages, q.Name, made, c.IsSet("tables-csv"))
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(files, ", "), err)
	}
	for i, file := range files {
		if err := results.WriteFile(file, []byte(filled[i])); err != nil {
			return err
		}
	}
	return saveCSV(c.String("tables-csv"), q.Name, made)
}

// fits reports sweeps whose cells have not what the figures of a question are drawn over: its kind
// and its axes. The policy is a column as well and needs no axis.
func fits(q *sweep.Question, d *sweep.Data) error {
	var errs []error
	for _, f := range d.Folders {
		var has, kinds, wants []string
		for _, a := range f.Spec.Axes {
			has = append(has, a.Name)
		}
		ok := false
		for _, s := range q.Specs(sweep.Tiny) {
			kinds, wants = append(kinds, s.Kind), nil
			all := s.Kind == f.Spec.Kind
			for _, a := range s.Axes {
				wants = append(wants, a.Name)
				all = all && (a.Name == digest.PolicyAxis || slices.Contains(has, a.Name))
			}
			ok = ok || all
		}
		switch {
		case ok:
		case !slices.Contains(kinds, f.Spec.Kind):
			errs = append(errs, fmt.Errorf("--question %s: the cells of %s are of the kind %s, expected %s", q.Name,
				f.Dir, f.Spec.Kind, kinds[0]))
		default:
			errs = append(errs, fmt.Errorf("--question %s: %s has the axes %s, expected %s", q.Name, f.Dir,
				strings.Join(has, ", "), strings.Join(wants, ", ")))
		}
	}
	return errors.Join(errs...)
}

// someDone reports that there is nothing to draw yet.
func someDone(d *sweep.Data) error {
	for _, f := range d.Folders {
		for i := range f.Len() {
			if f.Status(i).State == sweep.Done {
				return nil
			}
		}
		for _, table := range []string{"trials", "evals"} { // gathered tables that were kept without their cells
			if _, err := os.Stat(filepath.Join(f.Dir, table)); err == nil {
				return nil
			}
		}
	}
	dir := d.Folders[0].Dir
	return fmt.Errorf("no cell of %s is done: tarry sweep status %s shows how far they are", dir, dir)
}

// questionEntries lists the shipped questions.
func (from program) questionEntries() []entry {
	var out []entry
	for _, q := range from.Questions.Opened() {
		cells := make([]string, 0, 3)
		for _, scale := range sweep.Scales() {
			n := 0
			for _, s := range q.Specs(scale) {
				if all, err := s.Cells(&from.Catalogues); err == nil {
					n += len(all)
				}
			}
			cells = append(cells, fmt.Sprintf("%s %d", scale, n))
		}
		out = append(out, entry{Name: q.Name, Doc: q.Title, More: q.Ask + "\nexpected: " + q.Predict + "\ncells: " +
			strings.Join(cells, ", ")})
	}
	return out
}
