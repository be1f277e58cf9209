package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"tarry/experiments/questions"
	"tarry/experiments/sweep"
	"tarry/output/results"
)

func (from program) reproduceCommand() *cli.Command {
	return &cli.Command{
		Name:  "reproduce",
		Usage: "answer a question again: sweep, store, draw, fill its pages, and report what moved",
		UsageText: "tarry reproduce load --scale small\n" +
			"tarry reproduce predictors                     # scale full, from the folder of the project\n" +
			"tarry reproduce --stored                       # every page again from the stored rows\n" +
			"tarry reproduce load --print >mine.yaml && tarry reproduce ./mine.yaml --scale tiny",
		Description: "QUESTION is a name of tarry list questions, or a file (docs/howto/questions.md). Its sweeps run into " +
			"the folder of --out, where the same command continues\n" +
			"after any interruption; pictures are drawn into figures/ in it. At scale full, rows are stored and " +
			"tables are filled into the pages that the question\n" +
			"names, in the working folder; at another scale, and where it names none, each table is a file in " +
			"tables/ in the folder of --out.\n" +
			"What moved goes to standard output: cells of tables with what they were, and pictures.\n\n" +
			"Exit codes are as of tarry sweep: 0 done, 1 cells failed or a file cannot be written, 2 the command " +
			"line or a file is wrong, 42 cells failed and\n" +
			"would fail again, 75 cells are left and the same command continues, 130 interrupted.",
		ArgsUsage: "QUESTION...",
		Flags: append([]cli.Flag{
			scaleFlag("full"),
			&cli.BoolFlag{Name: "stored", Usage: "draw and fill from the stored rows and sweep nothing; without a " +
				"QUESTION all that have stored rows"},
			&cli.BoolFlag{Name: "data", Usage: "make the data that the question needs at scale full, and do no more"},
			&cli.BoolFlag{Name: "print", Usage: "print the question's file, to be copied and edited, and do no more"},
		}, engineFlags()...),
		OnUsageError: onUsageError,
		Action:       anyOrder(from.runReproduce),
	}
}

// runReproduce reproduces each question that was named.
func (from program) runReproduce(c *cli.Context) error {
	names := c.Args().Slice()
	if len(names) == 0 && c.Bool("stored") {
		for _, q := range from.Questions.Opened() {
			if q.Kept.Folder != "" {
				names = append(names, q.Name)
			}
		}
	}
	if len(names) == 0 {
		return usageError{fmt.Errorf("no question, expected a QUESTION of tarry list questions, a file, or --stored")}
	}
	if c.Bool("print") {
		return from.printQuestions(c, names)
	}
	scale, err := scaleOf(c)
	if err != nil {
		return usageError{err}
	}
	var all []*reproduction
	var errs []error
	for _, name := range names {
		r, err := from.reproduction(c, name, scale)
		all, errs = append(all, r), append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return usageError{err}
	}
	for _, r := range all {
		work := r.run
		if c.Bool("data") {
			work = r.data
		}
		if err := work(c); err != nil {
			return fmt.Errorf("%s: %w", r.q.Name, err)
		}
	}
	return nil
}

// printQuestions prints the files of shipped questions.
func (from program) printQuestions(c *cli.Context, names []string) error {
	for _, name := range names {
		if _, err := from.Questions.Find(name); err != nil {
			return usageError{err}
		}
		text, ok := questions.Text(name)
		if !ok {
			return usageError{fmt.Errorf("--print: question %s is in Go alone, expected one that has a file", name)}
		}
		if _, err := fmt.Fprint(c.App.Writer, text); err != nil {
			return err
		}
	}
	return nil
}

// reproduction is one question with where it runs.
type reproduction struct {
	from   program
	q      sweep.Question
	specs  []sweep.Spec
	scale  string
	out    string
	stored bool // draw from the stored rows
}

// reproduction resolves a name.
func (from program) reproduction(c *cli.Context, name, scale string) (*reproduction, error) {
	q, err := from.findQuestion(name)
	if err != nil {
		return nil, err
	}
	r := &reproduction{from: from, q: q, scale: scale, stored: c.Bool("stored"), specs: q.Specs(scale)}
	for _, file := range q.Kept.Also {
		if scale != sweep.Full || r.stored {
			break
		}
		more, _, err := questions.Sweeps(&from.Catalogues, file, scale)
		if err != nil {
			return nil, err
		}
		r.specs = append(r.specs, more...)
	}
	switch r.out = c.String("out"); {
	case r.out == "":
		r.out = filepath.Join("runs", q.Name)
	case c.NArg() != 1:
		r.out = filepath.Join(r.out, q.Name)
	}
	if r.stored && q.Kept.Folder == "" {
		return nil, fmt.Errorf("--stored: rows of question %s are not stored, expected one of %s", q.Name,
			listed(from.storedQuestions()))
	}
	if r.stored && scale != sweep.Full {
		return nil, fmt.Errorf("--stored: stored rows are of scale full, and --scale is %s", scale)
	}
	if r.full() {
		for _, file := range q.Kept.Pages { // not after hours of sweeps
			if _, err := os.Stat(file); err != nil {
				return nil, fmt.Errorf("%w: a question fills its pages in the folder of the project", err)
			}
		}
	}
	return r, nil
}

// storedQuestions names the questions whose rows are stored.
func (from program) storedQuestions() []string {
	var out []string
	for _, q := range from.Questions.Opened() {
		if q.Kept.Folder != "" {
			out = append(out, q.Name)
		}
	}
	return out
}

// full reports whether what is made goes into the project.
func (r *reproduction) full() bool { return r.scale == sweep.Full }

// names lists the sweeps whose rows are shown, in the order of the rows. The caller may change it.
func (r *reproduction) names() []string {
	if r.full() && len(r.q.Kept.Sweeps) > 0 {
		return slices.Clone(r.q.Kept.Sweeps)
	}
	names := make([]string, len(r.specs))
	for i := range r.specs {
		names[i] = r.specs[i].Name
	}
	return names
}

// swept is the folder of a sweep that was run here.
func (r *reproduction) swept(name string) string {
	if len(r.specs) == 1 {
		return r.out
	}
	return filepath.Join(r.out, name)
}

// run sweeps where that is asked for, and shows the answer.
func (r *reproduction) run(c *cli.Context) error {
	if !r.stored {
		if err := r.sweep(c); err != nil {
			return err
		}
	}
	dirs := make([]string, 0, len(r.names()))
	for _, name := range r.names() {
		if dir := filepath.Join(r.q.Kept.Folder, name); r.stored {
			dirs = append(dirs, dir)
		} else {
			dirs = append(dirs, r.swept(name))
		}
	}
	d, err := sweep.OpenData(dirs...)
	if err != nil {
		return usageError{err}
	}
	d.From = &r.from.Catalogues
	pictures, err := r.draw(c, d)
	if err != nil {
		return err
	}
	tables, err := r.fill(c, d)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.App.Writer, "%s: %s\n%s%s", r.q.Name, r.q.Title, tables, pictures)
	return err
}

// data makes the files of jobs that the question reads at scale full.
func (r *reproduction) data(c *cli.Context) error {
	for i := range r.q.Kept.Data {
		if err := r.make(c, &r.q.Kept.Data[i]); err != nil {
			return err
		}
	}
	return nil
}

// sweep makes the data that a full sweep needs, runs the sweeps, and stores what is stored.
func (r *reproduction) sweep(c *cli.Context) error {
	if r.full() {
		if err := r.data(c); err != nil {
			return err
		}
	}
	note(c, "%s: scale %s, into %s", r.q.Name, r.scale, r.out)
	if err := r.from.runSweeps(c, r.specs, r.out, len(r.specs) > 1); err != nil {
		return err
	}
	left := slices.DeleteFunc(r.names(), func(name string) bool {
		_, err := results.ReadManifest(r.swept(name))
		return err == nil
	})
	if len(left) > 0 {
		return codeError{fmt.Errorf("cells of %s are left: the same command continues", listed(left)), exitRequeue}
	}
	if r.full() && r.q.Kept.Folder != "" {
		return r.store(c)
	}
	return nil
}
