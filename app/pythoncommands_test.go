package app

import (
	"flag"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"tarry/run/listing"
)

var updateKeywords = flag.Bool("update", false, "rewrite the keyword arguments of Python's commands")

// TestPythonKeywords holds the keyword arguments of tarry.train, tune, sweep and figures against the
// flags of the commands.
func TestPythonKeywords(t *testing.T) {
	// Those are parameters of the functions themselves, or of every command.
	own := map[string][]string{
		"train": {"env", "agent", "out", "resume", "jobs"}, "tune": {"policy", "param", "env", "out", "resume", "jobs"},
		"sweep": {"out", "jobs"}, "figures": {"out"},
	}
	from := shipped()
	var all []listing.Arguments
	app := from.newApp(io.Discard, io.Discard)
	for _, name := range []string{"train", "tune", "sweep", "figures"} {
		k := listing.Arguments{Command: name}
		for _, f := range app.Command(name).Flags {
			key := strings.ReplaceAll(f.Names()[0], "-", "_")
			if slices.Contains(append(own[name], "help", "help_all", progressName), key) {
				continue
			}
			k.Flags = append(k.Flags, pythonArgument(t, key, f))
		}
		all = append(all, k)
	}
	const path = "../python/src/tarry/_commands.py"
	want := listing.PythonCommands(&from.Catalogues, all)
	if *updateKeywords {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s is not what the flags of the commands say (%v): make settings", path, err)
	}
}

// pythonArgument is a flag as a keyword argument.
func pythonArgument(t *testing.T, key string, f cli.Flag) listing.Argument {
	t.Helper()
	a := listing.Argument{Key: key, Type: "Text"}
	switch f.(type) {
	case *cli.BoolFlag:
		a.Type = "bool"
	case *cli.IntFlag, *cli.Uint64Flag:
		a.Type = "int"
	case *cli.StringSliceFlag:
		a.Type, a.Repeated = "Mapping[str, Any] | Sequence[Text] | Text", true
	case *cli.StringFlag, *cli.DurationFlag:
	default:
		t.Fatalf("--%s is a %T", key, f)
	}
	switch key { // lists, joined by commas, and files that Python may have as a dict
	case "seeds":
		a.Type = "Text | int | Sequence[int]"
	case "only", "format":
		a.Type = "Text | Sequence[str]"
	case "config":
		a.Type = "Named"
	case "scale":
		a.Type = `Literal["tiny", "small", "full"]`
	case "steps":
		a.Type = "int"
	}
	d := f.(cli.DocGenerationFlag)
	a.Doc = strings.ReplaceAll(d.GetUsage(), "`", "")
	if def := d.GetDefaultText(); def != "" {
		a.Doc += "; default " + strings.Trim(def, `"`)
	}
	a.Doc = strings.Join(strings.Fields(a.Doc), " ") + "."
	return a
}
