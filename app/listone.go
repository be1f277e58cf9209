package app

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	agents "tarry/agents/registry"
	"tarry/baselines"
	"tarry/env/layout"
	"tarry/output/dictionary"
	"tarry/run/listing"
	"tarry/run/train"
	"tarry/sim/param"
	"tarry/traces/columns"
	"tarry/traces/predict"
)

// detail is all about one entry: its settings, and remarks below them.
type detail struct {
	entry
	Settings []agents.About `json:"settings,omitempty"`
	Notes    []string       `json:"notes,omitempty"`
	// About is what an environment shows, does and rewards; nil for other entries.
	*layout.About
	// Columns are a table's; nil for other entries.
	Columns []dictionary.Column `json:"columns,omitempty"`
}

// find gives the entry that is named. A format of traces may be named without the colon that it is
// listed with.
func find(list, name string, all []entry) (entry, error) {
	var names []string
	for _, e := range all {
		if e.Name == name || e.Name == name+":" {
			return e, nil
		}
		if e.Name != "" {
			names = append(names, strings.TrimSuffix(e.Name, ":"))
		}
	}
	return entry{}, usageError{fmt.Errorf("tarry list %s: %q is unknown, expected one of %s%s", list, name,
		strings.Join(names, ", "), param.Hint(name, names))}
}

// printOne prints all about the entry that is named.
func (from program) printOne(c *cli.Context, list string, all []entry) error {
	name, options := c.Args().First(), ""
	if list == "envs" {
		name, options, _ = strings.Cut(name, ":")
	}
	e, err := find(list, name, all)
	if built, ok := listing.Cluster(name); err != nil && list == "clusters" && ok {
		e, err = built, nil
	}
	if err != nil {
		return err
	}
	d := detail{entry: e}
	if err := d.describe(from, list); err != nil {
		return err
	}
	if list == "envs" {
		if d.About, err = from.aboutEnv(name, options); err != nil {
			return usageError{err}
		}
	}
	switch format := c.String("format"); format {
	case "json":
		return json.NewEncoder(c.App.Writer).Encode(d)
	case "table":
		return d.print(c.App.Writer)
	default:
		return usageError{fmt.Errorf("--format: %q, expected table or json", format)}
	}
}

// describe adds the settings, which then replace what More states of them.
func (d *detail) describe(from program, list string) error {
	switch list {
	case "policies":
		e := from.Policies[slices.IndexFunc(from.Policies, func(e baselines.Entry) bool { return e.Name == d.Name })]
		d.More = e.Paper + "\n" + listing.KnowsText(e.Knows())
		if e.Decides != "" {
			d.More += "\ndecides: " + strings.ReplaceAll(e.Decides, "`", "")
		}
		d.Settings = listing.Described(e.Params, e.Settings())
		d.Notes = []string{"given as --policy " + d.Name + ":key=value,..."}
		if c := &e.Cost; c.Why != "" {
			d.Notes = append(d.Notes, fmt.Sprintf("costs %g ms of a processor per job of Philly: %s; lower with %s",
				c.JobMs, c.Why, strings.Join(c.Bounds, ", ")))
		}
	case "speeds":
		k, _ := from.Speeds.Find(d.Name)
		d.More, d.Settings = "", listing.Described(k.Params, k.Settings())
		d.Notes = []string{"given as --speed " + k.Form}
	case "layers":
		l, _ := from.Layers.Find(d.Name)
		d.More, d.Settings = "", listing.Described(l.Params, l.Settings())
		d.Notes = []string{"given as --layer " + l.Form}
	case "predictors":
		e := from.Predictors[slices.IndexFunc(from.Predictors, func(e predict.Entry) bool { return e.Name == d.Name })]
		d.More, d.Settings = e.Paper, listing.Described(e.Params, e.Settings())
		d.Notes = []string{"given as --predict " + d.Name + ":key=value,..."}
	case "operators":
		e := from.Operators[slices.Index(from.Operators.Names(), d.Name)]
		d.More, d.Settings = e.Paper, listing.Described(e.Params, e.Settings())
		d.Notes = []string{"given as --operator " + d.Name + ":key=value,..."}
	case "envs":
		e, err := from.Envs.Find(d.Name)
		if err != nil {
			return err
		}
		d.More, d.Settings = "", listing.Described(e.Help(), e.Settings(from.Catalogues.Catalogues))
		if k, ok := listing.EnvKnows(&from.Catalogues, e.ID); ok {
			d.More = "an agent in it " + listing.KnowsText(k)
			if hidden, ok := listing.EnvKnows(&from.Catalogues, e.ID+":hide=work"); ok && k.Clairvoyant() &&
				!hidden.Clairvoyant() {
				d.More += "; with hide=work: " + hidden.String()
			}
		}
		if len(d.Settings) > 0 {
			d.Notes = []string{"given as --env " + d.Name + ":key=value,...; a lease is lease_s seconds; tarry list " +
				"rewards states what each reward is"}
		}
	case "optimisers":
		i := slices.IndexFunc(from.Optimisers, func(o agents.Optimiser) bool { return o.Name == d.Name })
		o := from.Optimisers[i]
		d.More, d.Settings = o.Paper, listing.Described(o.Params, o.Settings())
		d.Notes = []string{"given as --optimiser " + d.Name + ":key=value,..."}
	case "agents":
		return d.describeAgent(from)
	case "settings":
		c := d.Setting
		d.Settings = []agents.About{{Key: d.Name, Default: c.Default, Range: c.Range, Meaning: d.Doc}}
		d.Notes = notesOf(d.Name, c)
	case "tables":
		d.Columns = columnsOfTable(d.Name)
	case "traces", "columns":
		d.describeTable(from)
		return nil
	}
	d.describeChoice(from, list)
	if len(d.Settings) == 0 {
		d.Notes = nil
	}
	return nil
}

// describeTable adds what is stated of a column of jobs, and of a format with such columns.
func (d *detail) describeTable(from program) {
	if f, _, _ := from.Traces.Find(d.Name); f.Table != nil {
		d.Notes = columnsOfJobs()
	}
	if d.Column == nil {
		return
	}
	for _, of := range [][2]string{{"in ", d.Column.Unit}, {"needed: ", d.Column.Needed},
		{"also read: ", d.Column.Spellings}, {"names of other programs that --trace-columns maps: ", d.Column.Mapped}} {
		if of[1] != "" {
			d.Notes = append(d.Notes, of[0]+of[1])
		}
	}
}

// aboutEnv is what an environment shows, does and rewards with some options.
func (from program) aboutEnv(name, options string) (*layout.About, error) {
	text := name
	if options != "" {
		text += ":" + options
	}
	e, err := from.Envs.Make(from.Catalogues.Catalogues, text)
	if err != nil {
		return nil, err
	}
	a := e.Spec().About()
	return &a, e.Close()
}

// describeChoice adds the options of a name that stands for a setting's value.
func (d *detail) describeChoice(from program, list string) {
	c := from.newConfig()
	for _, r := range c.Settings() {
		if r.List != list || r.Choices == nil {
			continue
		}
		for _, k := range r.Choices() {
			if k.Name == d.Name && k.Options != nil {
				d.More, d.Settings = "", listing.Described(k.Params, k.Options())
				d.Notes = []string{"given as --" + r.Flag + " " + k.Form}
			}
		}
	}
}

// notesOf reports how a setting is given.
func notesOf(key string, c *listing.Columns) []string {
	var out []string
	if c.Unit != "" {
		out = append(out, "in "+c.Unit)
	}
	how := "given as " + key + " in a file, or as an option of environments"
	if c.Flag != "" {
		how = "given as " + c.Flag + ", or " + key + " in a file or as an option of environments"
	}
	return append(out, how)
}

// columnsOfJobs reports which columns a table of jobs may have.
func columnsOfJobs() []string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "COLUMN\tUNIT\tMEANING")
	for _, f := range columns.Fields() {
		doc := f.Doc
		if f.Needed {
			doc += " (needed)"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", f.Name, cmp.Or(f.Unit, "-"), doc)
	}
	if err := t.Flush(); err != nil {
		return nil // a text takes all that is written
	}
	lines := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	return append(lines, "work_s or duration_s is needed; names are read in upper and lower case, and times with "+
		"another unit or none: submit, submit_us,", "duration_h; --trace-columns gpus=num_gpu,... reads columns by other "+
		"names; docs/reference/job-columns.md has the rules")
}

// describeAgent lists an agent's settings, the settings of every training run, and the defaults
// that are others by environment.
func (d *detail) describeAgent(from program) error {
	e, err := from.Agents.Find(d.Name)
	if err != nil {
		return err
	}
	d.More = e.Paper
	d.Settings = append(e.Settings(), agents.Describe(train.Defaults())...)
	d.Notes = []string{"given as --set key=value, or in the file of --config; imitate and demo_... where the agent " +
		"can imitate"}
	var errs []error
	for _, on := range from.Envs {
		made, err := on.New(from.Catalogues.Catalogues, "")
		if err != nil {
			return err
		}
		tuned, err := e.TunedSettings(made.Spec())
		errs = append(errs, err, made.Close())
		if len(tuned) == 0 {
			continue
		}
		var keys []string
		for _, a := range tuned {
			keys = append(keys, a.Key+"="+a.Default)
		}
		d.Notes = append(d.Notes, "defaults for "+on.ID+": "+strings.Join(keys, ", "))
	}
	return errors.Join(errs...)
}

// print writes the entry for people.
func (d *detail) print(w io.Writer) error {
	fmt.Fprintf(w, "%s: %s\n", strings.TrimSuffix(d.Name, ":"), d.Doc)
	if d.More != "" {
		fmt.Fprintln(w, d.More)
	}
	if d.Columns != nil {
		fmt.Fprintln(w)
		if err := printColumns(w, d.Columns); err != nil {
			return err
		}
	}
	if d.About != nil {
		if err := printWords(w, d.About); err != nil {
			return err
		}
	}
	if len(d.Settings) > 0 {
		fmt.Fprintln(w)
		t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
		fmt.Fprintln(t, "SETTING\tDEFAULT\tRANGE\tMEANING")
		room := d.roomForMeanings()
		for _, a := range d.Settings {
			if a.Default == "" {
				a.Default = "-"
			}
			for i, line := range wrapped(a.Meaning, room) {
				if i == 0 {
					fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", a.Key, a.Default, a.Range, line)
				} else {
					fmt.Fprintf(t, "\t\t\t%s\n", line)
				}
			}
		}
		if err := t.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	for _, n := range d.Notes {
		if _, err := fmt.Fprintln(w, n); err != nil {
			return err
		}
	}
	return nil
}

// roomForMeanings is how wide meanings may be beside the other columns of settings; they get 40 columns at least.
func (d *detail) roomForMeanings() int {
	var key, value, rng int
	for _, a := range d.Settings {
		key, value, rng = max(key, len(a.Key)), max(value, len(a.Default)), max(rng, len(a.Range))
	}
	return max(40, helpWidth-key-value-rng-6)
}

// wrapped breaks a text into lines of so many characters, at least one.
func wrapped(text string, width int) []string {
	lines := []string{""}
	for _, word := range strings.Fields(text) {
		at := len(lines) - 1
		switch {
		case lines[at] == "":
			lines[at] = word
		case len(lines[at])+1+len(word) > width:
			lines = append(lines, word)
		default:
			lines[at] += " " + word
		}
	}
	return lines
}
