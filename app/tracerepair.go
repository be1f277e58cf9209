package app

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"tarry/output/results"
	"tarry/sim"
	"tarry/sim/account"
	"tarry/traces"
	"tarry/traces/repair"
)

func (from program) traceRepairCommand() *cli.Command {
	var doc strings.Builder
	doc.WriteString("The rules, in the order in which they apply; a rule with - only where it is named:\n")
	for _, r := range repair.Rules() {
		mark, needs := " ", ""
		if !r.Safe {
			mark = "-"
		}
		if r.Needs != "" {
			needs = " (with --" + r.Needs + ")"
		}
		fmt.Fprintf(&doc, "\n %s %-10s %s%s", mark, r.Name, r.Doc, needs)
	}
	return &cli.Command{
		Name:  "repair",
		Usage: "write a cleaned copy of a workload, and an account of each change",
		UsageText: "tarry trace repair --trace jobs.csv --out cleaned.csv\n" +
			"tarry trace repair --trace jobs.csv --out cleaned.csv --rules duplicates,ids,order --changes changes.json",
		Description: doc.String(),
		Flags: append(sourceFlags(),
			&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "`FILE` of the copy, which ends in .csv, " +
				".csv.gz, .csv.zst or .parquet"},
			&cli.StringFlag{Name: "rules", Usage: "`NAMES` of rules between commas; all but censored unless given"},
			&cli.StringFlag{Name: "changes", Usage: "`FILE` of the changes, which ends in .csv or .json; " +
				"OUT.changes.csv unless given"},
			&cli.StringFlag{Name: "cluster", Usage: "what the jobs are to run on: `RxMxG`, a preset's name or a file"},
			&cli.StringFlag{Name: "zone", Usage: "where the clock of submits without a zone was: `NAME`, such as " +
				"Europe/Berlin"},
			&cli.StringFlag{Name: "format", Value: "table", Usage: "`FORMAT` of the summary: table or json"}),
		OnUsageError: onUsageError,
		Action:       from.runRepair,
	}
}

// ruleWords completes the names of rules, behind the given ones.
func ruleWords(value string) []candidate {
	done := value[:strings.LastIndexByte(value, ',')+1]
	var out []candidate
	for _, r := range repair.Rules() {
		if !slices.Contains(strings.Split(done, ","), r.Name) {
			out = append(out, candidate{done + r.Name, r.Doc})
		}
	}
	return out
}

func (from program) runRepair(c *cli.Context) error {
	args, err := arguments(c, "trace", "out")
	if err != nil {
		return err
	}
	if f := c.String("format"); f != "table" && f != "json" {
		return usageError{fmt.Errorf("--format: %q, expected table or json", f)}
	}
	var opt repair.Options
	if opt.Cluster, err = from.clusterOf(c); err != nil {
		return err
	}
	if name := c.String("zone"); name != "" {
		if opt.Zone, err = time.LoadLocation(name); err != nil {
			return usageError{fmt.Errorf("--zone: %w", err)}
		}
	}
	var list []string
	if text := c.String("rules"); text != "" {
		list = strings.Split(text, ",")
	}
	r := &account.Repair{}
	if r.Rules, err = repair.Choose(list, opt); err != nil {
		return usageError{fmt.Errorf("--rules: %w", err)}
	}
	_, copied, err := traces.Target(args[1])
	if err != nil {
		return usageError{fmt.Errorf("--out: %w", err)}
	}
	changes := cmp.Or(c.String("changes"), copied+".changes.csv")
	if err := from.apart(args[0], copied); err != nil {
		return usageError{fmt.Errorf("--out: %w", err)}
	}
	if err := from.apart(args[0], changes); err != nil {
		return usageError{fmt.Errorf("--changes: %w", err)}
	}
	if changes == copied {
		return usageError{fmt.Errorf("--changes: %s is the file of --out, expected another one", changes)}
	}
	w, report, err := from.openReported(c, args[0], traces.Options{GPUs: gpusOf(opt.Cluster), Repair: r,
		Strict: !r.On(account.WrongRows)})
	if err != nil {
		return err
	}
	if report == nil {
		report = &account.Report{Source: args[0], Rows: len(w.Jobs), Kept: len(w.Jobs)}
	}
	clean, err := repair.Apply(w, report, r, opt)
	if err != nil {
		return err
	}
	if err := writeChanges(changes, r.Changes); err != nil { // first: no copy is without its account
		return err
	}
	if err := traces.Write(args[1], clean); err != nil {
		return err
	}
	return sumUp(c, repaired{Out: args[1], Account: changes, Rows: report.Rows, Read: report.Kept,
		Written: len(clean.Jobs), Rules: r.Rules, Changes: counted(r), WorkRead: work(w), WorkWritten: work(clean)})
}

// apart refuses to write where the trace is.
func (from program) apart(spec, out string) error {
	_, path, found := from.Traces.Find(spec)
	if !found {
		path = spec
	}
	source, err := os.Stat(path)
	if err != nil {
		return nil // opening it states what is wrong
	}
	if target, err := os.Stat(out); err == nil && os.SameFile(source, target) {
		return fmt.Errorf("%s is the trace itself, expected another file", out)
	}
	if folder, err := os.Stat(filepath.Dir(out)); err == nil && os.SameFile(source, folder) {
		return fmt.Errorf("%s is in the folder of the trace, expected another folder", out)
	}
	return nil
}

// writeChanges writes the account of a repair as CSV, or as JSON where the name ends so.
func writeChanges(path string, changes []account.Change) error {
	type row struct {
		Row    int    `json:"row"`
		ID     string `json:"id"`
		Field  string `json:"field"`
		Before string `json:"before"`
		After  string `json:"after"`
		Rule   string `json:"rule"`
		Why    string `json:"why"`
	}
	if strings.HasSuffix(path, ".json") {
		rows := make([]row, len(changes))
		for i, c := range changes {
			rows[i] = row(c)
		}
		data, err := json.MarshalIndent(rows, "", " ")
		if err != nil {
			return err
		}
		return results.WriteFile(path, append(data, '\n'))
	}
	var b bytes.Buffer
	enc := csv.NewWriter(&b)
	lines := [][]string{{"row", "id", "field", "before", "after", "rule", "why"}}
	for _, c := range changes {
		lines = append(lines, []string{strconv.Itoa(c.Row), c.ID, c.Field, c.Before, c.After, c.Rule, c.Why})
	}
	if err := enc.WriteAll(lines); err != nil {
		return err
	}
	return results.WriteFile(path, b.Bytes())
}

// repaired is the summary of a repair.
type repaired struct {
	Out         string         `json:"out"`
	Account     string         `json:"changes_file"`
	Rows        int            `json:"rows"`
	Read        int            `json:"jobs_read"`
	Written     int            `json:"jobs_written"`
	WorkRead    float64        `json:"work_read_gpu_h"`
	WorkWritten float64        `json:"work_written_gpu_h"`
	Rules       []string       `json:"rules"`
	Changes     map[string]int `json:"changes"`
}

// counted counts changes by rule.
func counted(r *account.Repair) map[string]int {
	out := map[string]int{}
	for _, c := range r.Changes {
		out[c.Rule]++
	}
	return out
}

// work is the work of all jobs in GPU-hours.
func work(w *sim.Workload) float64 {
	sum := 0.0
	for i := range w.Jobs {
		sum += w.Jobs[i].Work.Seconds()
	}
	return sum / 3600
}

// sumUp prints the summary of a repair.
func sumUp(c *cli.Context, r repaired) error {
	if c.String("format") == "json" {
		return json.NewEncoder(c.App.Writer).Encode(r)
	}
	t := tabwriter.NewWriter(c.App.Writer, 0, 8, 2, ' ', 0)
	fmt.Fprintf(t, "%s\t%d jobs of %d rows, %.1f GPU-hours\n", r.Out, r.Written, r.Rows, r.WorkWritten)
	for _, rule := range repair.Rules() {
		if n := r.Changes[rule.Name]; n > 0 {
			fmt.Fprintf(t, "  %s\t%d: %s\n", rule.Name, n, rule.Doc)
		}
	}
	if len(r.Changes) == 0 {
		fmt.Fprintf(t, "  nothing to change\t\n")
	}
	fmt.Fprintf(t, "%s\tevery change: row, id, field, before, after, rule\n", r.Account)
	return t.Flush()
}
