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
	"tarry/run/listing"
	"tarry/run/train"
	"tarry/sim/hosts"
	"tarry/sim/interference"
	"tarry/sim/param"
	"tarry/traces/jobcell"
	"tarry/traces/predict"
)

// detail is all about one entry: its settings, and remarks below them.
type detail struct {
	entry
	Settings []agents.About `json:"settings,omitempty"`
	Notes    []string       `json:"notes,omitempty"`
}

// find gives the entry that is named. A format of traces may be named without the colon that it is listed with.
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
	return entry{}, usageError{fmt.Errorf("tarry list %s: %q is unknown, expected one of %s%s", list, name, strings.Join(names, ", "), param.Hint(name, names))}
}

// printOne prints all about the entry that is named.
func (from program) printOne(c *cli.Context, list string, all []entry) error {
	e, err := find(list, c.Args().First(), all)
	if err != nil {
		return err
	}
	d := detail{entry: e}
	if err := d.describe(from, list); err != nil {
		return err
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

// describe adds the settings, which then replace what More says of them.
func (d *detail) describe(from program, list string) error {
	switch list {
	case "policies":
		i := slices.IndexFunc(from.Policies, func(e baselines.Entry) bool { return e.Name == d.Name })
		e := from.Policies[i]
		d.More = e.Paper + "\n" + listing.KnowsText(e.Knows())
		d.Settings = fromHelp(e.Params, e.Settings())
		d.Notes = []string{"given as --policy " + d.Name + ":key=value,..."}
	case "speeds":
		k, _ := from.Speeds.Find(d.Name)
		d.More, d.Settings = "", fromHelp(k.Params, k.Settings())
		d.Notes = []string{"given as --speed " + k.Form}
	case "interference":
		i := slices.IndexFunc(interference.Laws(), func(k interference.Kind) bool { return k.Name == d.Name })
		if i < 0 {
			break // none
		}
		k := interference.Laws()[i]
		d.More, d.Settings = "", fromHelp(k.Params+"\n"+interference.SpillDoc, k.Options())
		d.Notes = []string{"given as --interference " + k.Form}
	case "hosts":
		i := slices.IndexFunc(hosts.Laws(), func(k hosts.Kind) bool { return k.Name == d.Name })
		if i < 0 {
			break // none
		}
		k := hosts.Laws()[i]
		d.More, d.Settings = "", fromHelp(k.Params+"\n"+hosts.CommonDoc, k.Options())
		d.Notes = []string{"given as --hosts " + k.Form}
	case "predictors":
		i := slices.IndexFunc(from.Predictors, func(e predict.Entry) bool { return e.Name == d.Name })
		e := from.Predictors[i]
		d.More, d.Settings = e.Paper, fromHelp(e.Params, e.Settings())
		d.Notes = []string{"given as --predict " + d.Name + ":key=value,..."}
	case "envs":
		e, err := from.Envs.Find(d.Name)
		if err != nil {
			return err
		}
		d.More, d.Settings = "", fromHelp(e.Params, e.Settings(from.Catalogues.Catalogues))
		if k, ok := listing.EnvKnows(&from.Catalogues, e.ID); ok {
			d.More = "an agent in it " + listing.KnowsText(k)
			if hidden, ok := listing.EnvKnows(&from.Catalogues, e.ID+":hide=work"); ok && k.Clairvoyant() && !hidden.Clairvoyant() {
				d.More += "; with hide=work: " + hidden.String()
			}
		}
		if len(d.Settings) > 0 {
			d.Notes = []string{"given as --env " + d.Name + ":key=value,...; a lease is lease_s seconds; tarry list rewards says what each reward is"}
		}
	case "optimisers":
		i := slices.IndexFunc(from.Optimisers, func(o agents.Optimiser) bool { return o.Name == d.Name })
		o := from.Optimisers[i]
		d.More, d.Settings = o.Paper, fromHelp(o.Params, o.Settings())
		d.Notes = []string{"given as --optimiser " + d.Name + ":key=value,..."}
	case "agents":
		return d.describeAgent(from)
	case "traces":
		if d.Name == "csv:" || d.Name == "parquet:" {
			d.Notes = columnsOfJobs()
			return nil
		}
	}
	if len(d.Settings) == 0 {
		d.Notes = nil
	}
	return nil
}

// columnsOfJobs says which columns a table of jobs may have.
func columnsOfJobs() []string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "COLUMN\tUNIT\tMEANING")
	for _, f := range jobcell.Fields() {
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
	return append(lines, "work_s or duration_s is needed; a time may end in _us; docs/job-columns.md says how cells are read")
}

// describeAgent lists an agent's settings, those of every training run, and the defaults that are others by environment.
func (d *detail) describeAgent(from program) error {
	e, err := from.Agents.Find(d.Name)
	if err != nil {
		return err
	}
	d.More = e.Paper
	d.Settings = append(e.Settings(), agents.Describe(train.Defaults())...)
	d.Notes = []string{"given as --set key=value, or in the file of --config; imitate and demo_... where the agent can imitate"}
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

// fromHelp takes the words from a help text and the ranges from the code that reads the settings. A help text has
// one line per setting, which ends in its default in brackets; indented lines continue the one before.
func fromHelp(help string, read []param.Setting) []agents.About {
	text := map[string]string{}
	last := ""
	for line := range strings.SplitSeq(help, "\n") {
		if !strings.HasPrefix(line, " ") {
			last, line, _ = strings.Cut(line, " ")
		}
		text[last] = strings.TrimSpace(text[last] + " " + strings.TrimSpace(line))
	}
	var out []agents.About
	for _, s := range read {
		a := agents.About{Key: s.Key, Meaning: text[s.Key], Range: s.Range, Default: s.Default}
		if at := strings.LastIndex(a.Meaning, " ("); at > 0 && strings.HasSuffix(a.Meaning, ")") {
			a.Meaning, a.Default = a.Meaning[:at], a.Meaning[at+2:len(a.Meaning)-1]
		}
		out = append(out, a)
	}
	return out
}

// print writes the entry for people.
func (d *detail) print(w io.Writer) error {
	fmt.Fprintf(w, "%s: %s\n", strings.TrimSuffix(d.Name, ":"), d.Doc)
	if d.More != "" {
		fmt.Fprintln(w, d.More)
	}
	if len(d.Settings) > 0 {
		fmt.Fprintln(w)
		t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
		fmt.Fprintln(t, "SETTING\tDEFAULT\tRANGE\tMEANING")
		for _, a := range d.Settings {
			if a.Default == "" {
				a.Default = "-"
			}
			for i, line := range wrapped(a.Meaning, 90) {
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
