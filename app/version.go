package app

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"tarry/internal/release"
)

// version is what results have as their version.
func version() string { return release.Build(ownCodeID) }

// ownCodeID is the code id of the running program; "" when its file cannot be read.
func ownCodeID() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	// What runs may have been replaced on the disk since: Linux keeps the old file below this name.
	return release.CodeID("/proc/self/exe", path)
}

// build is what tarry version states of the program.
type build struct {
	// Version is the CHANGELOG's, Build what results of this program have as their version.
	Version string `json:"version"`
	Build   string `json:"build"`
	// Commit is the commit that was built, Time its time; "" where git had none. Changed: files
	// differed from it.
	Commit  string `json:"commit"`
	Time    string `json:"commit_time"`
	Changed bool   `json:"changed"`
	// Go is the version of Go that compiled it, for OS and Arch.
	Go   string `json:"go"`
	OS   string `json:"os"`
	Arch string `json:"arch"`
}

// ownBuild is the running program's.
func ownBuild() build {
	b := build{Version: release.Version, Build: version(), Go: runtime.Version(), OS: runtime.GOOS,
		Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Changed = s.Value == "true"
		}
	}
	return b
}

// String is one line: version, commit, the version that results have, Go and the platform.
func (b build) String() string {
	commit := b.Commit[:min(12, len(b.Commit))]
	switch {
	case commit == "":
		commit = "unknown"
	case b.Changed:
		commit += "+changes"
	}
	return fmt.Sprintf("tarry %s commit %s build %s %s %s/%s", b.Version, commit, b.Build, b.Go, b.OS, b.Arch)
}

func versionCommand() *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version of the program, its commit, Go and the platform",
		Flags: []cli.Flag{&cli.StringFlag{Name: "format", Value: "text",
			Usage: "`FORMAT`: text (one line) or json"}},
		OnUsageError: onUsageError,
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			switch format := c.String("format"); format {
			case "json":
				return json.NewEncoder(c.App.Writer).Encode(ownBuild())
			case "text":
				_, err := fmt.Fprintln(c.App.Writer, ownBuild())
				return err
			default:
				return usageError{fmt.Errorf("--format: %q, expected text or json", format)}
			}
		},
	}
}

// versionStandsAlone refuses --version before a command: neither alone is what was meant.
func versionStandsAlone(c *cli.Context) error {
	if c.Bool("version") && c.Args().Present() {
		return usageError{fmt.Errorf("--version stands alone, not before %q", c.Args().First())}
	}
	return nil
}

// versionOrHelp is the program without a command.
func versionOrHelp(c *cli.Context) error {
	if c.Bool("version") {
		_, err := fmt.Fprintln(c.App.Writer, ownBuild())
		return err
	}
	return unknownCommand(c)
}
