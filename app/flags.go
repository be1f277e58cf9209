package app

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/output/results"
	"tarry/run/config"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// newConfig is the configuration with all defaults.
func (from program) newConfig() config.Config {
	c := config.Default()
	c.Extend(from.more...)
	return c
}

// runFlags are the flags of simulate and compare: the flags of the settings, and some for the
// output.
func (from program) runFlags() []cli.Flag {
	c := from.newConfig()
	rows := c.Settings()
	setting.Find(rows, "speed").Forms = strings.Join(from.speedForms(), ", ")
	flags := []cli.Flag{&cli.StringFlag{Name: "config", Aliases: []string{"c"},
		Usage: "YAML `FILE` with the same settings; flags override it"}}
	setting.Walk(rows, func(_ string, r *setting.Row) {
		if r.Flag != "" {
			flags = append(flags, flagOfRow(r))
		}
	})
	return append(flags,
		&cli.BoolFlag{Name: "force", Usage: "replace the results of another configuration in the folder of --out"},
		&cli.StringFlag{Name: "format", Value: "table", Usage: "`FORMAT` of the result: table, json or csv"},
		columnsFlag(),
		progressFlag(),
		&cli.StringFlag{Name: "timeline", Category: setting.Output,
			Usage: "write a trace of every GPU to `FILE` (JSON, opens in Perfetto)"},
		&cli.BoolFlag{Name: "timing", Category: setting.Output,
			Usage: "also write the table timing (wall time; differs from run to run)"})
}

// flagOfRow is the flag of a setting, of the type of its value. A value that is no text and no
// number is given as a text.
func flagOfRow(r *setting.Row) cli.Flag {
	usage := r.Usage()
	switch to := r.To.(type) {
	case *bool:
		return &cli.BoolFlag{Name: r.Flag, Aliases: r.Aliases, Category: r.Group, Usage: usage, Value: *to}
	case *int:
		return &cli.IntFlag{Name: r.Flag, Aliases: r.Aliases, Category: r.Group, Usage: usage, Value: *to}
	case *int64:
		return &cli.Int64Flag{Name: r.Flag, Aliases: r.Aliases, Category: r.Group, Usage: usage, Value: *to}
	case *uint64:
		return &cli.Uint64Flag{Name: r.Flag, Aliases: r.Aliases, Category: r.Group, Usage: usage, Value: *to}
	case *float64:
		return &cli.Float64Flag{Name: r.Flag, Aliases: r.Aliases, Category: r.Group, Usage: usage, Value: *to}
	case *[]string:
		return &cli.StringSliceFlag{Name: r.Flag, Aliases: r.Aliases, Category: r.Group, Usage: usage + "; repeatable"}
	}
	f := &cli.StringFlag{Name: r.Flag, Aliases: r.Aliases, Category: r.Group, Usage: usage, Value: r.Text()}
	if f.Value == "" {
		f.DefaultText = r.Empty
	}
	return f
}

// settingFlag is the flag of a setting, for a command that takes no others of a run.
func settingFlag(key string) cli.Flag {
	c := config.Default()
	return flagOfRow(setting.Find(c.Settings(), key))
}

// codecName is the flag of the codec of the tables' files; settings call it parquet_codec.
const codecName = "parquet-codec"

// codecFlag is the flag of every command that writes tables.
func codecFlag() cli.Flag {
	all := results.Codecs()
	return &cli.StringFlag{Name: codecName, Category: setting.Output,
		DefaultText: all[0], Usage: "compress the tables with `CODEC`: " +
			strings.Join(all, ", ")}
}

// codecOf reads the flag.
func codecOf(c *cli.Context) (results.Codec, error) {
	codec, err := results.ParseCodec(c.String(codecName))
	if err != nil {
		err = fmt.Errorf("--%s: %w", codecName, err)
	}
	return codec, err
}

// speedForms lists the forms of --speed with their options.
func (from program) speedForms() []string {
	var forms []string
	for _, k := range from.Speeds {
		forms = append(forms, k.Form)
	}
	return forms
}

// readConfig resolves defaults < preset < file < flags. It reports the faults of the file and of
// the flags together.
func (from program) readConfig(c *cli.Context, policies []string) (config.Config, []error) {
	cfg := from.newConfig()
	var errs []error
	note := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	var file *config.File
	if path := c.String("config"); path != "" {
		var err error
		file, err = config.ReadFile(path)
		note(err)
	}
	name := c.String("preset")
	if name == "" && file != nil {
		name = file.Preset()
	}
	note(cfg.ApplyPreset(name))
	if path := c.String("scenario"); path != "" {
		note(cfg.ReadFile(path))
	}
	if file != nil {
		note(file.Apply(&cfg))
		if c.IsSet("preset") {
			cfg.Preset = name
		}
	}
	note(applyFlags(c, &cfg))
	if len(policies) > 0 {
		cfg.Policies = policies
		cfg.Mark("policies", "--policy")
	}
	return cfg, errs
}

// applyFlags sets what the command line states.
func applyFlags(c *cli.Context, cfg *config.Config) error {
	rows, groups := cfg.Settings(), map[string]any{}
	for _, r := range rows {
		if r.Inside != nil && !r.Settable() && c.IsSet(r.Flag) {
			groups[r.Key] = c.String(r.Flag)
		}
	}
	set := param.FromTree("flags", groups, func(path string) string {
		key, _, _ := strings.Cut(path, ".")
		return "--" + setting.Find(rows, key).Flag
	})
	cfg.Read(set)
	var errs []error
	setting.Walk(rows, func(key string, r *setting.Row) {
		if r.Flag == "" || !r.Settable() || !c.IsSet(r.Flag) {
			return
		}
		if texts, many := r.To.(*[]string); many {
			*texts = c.StringSlice(r.Flag)
		} else if err := r.Put(fmt.Sprint(c.Value(r.Flag))); err != nil {
			errs = append(errs, fmt.Errorf("--%s: %w", r.Flag, err))
		}
		cfg.Mark(key, "--"+r.Flag)
	})
	return errors.Join(append(errs, set.Err())...)
}

// formatOf reads --format.
func formatOf(c *cli.Context) (string, error) {
	names := []string{"table", "json", "csv"}
	got := c.String("format")
	for _, n := range names {
		if n == got {
			return got, nil
		}
	}
	return "", fmt.Errorf("--format: %q, expected %s%s", got, strings.Join(names, ", "), param.Hint(got, names))
}
