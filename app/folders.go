package app

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/output/results"
	"tarry/run/config"
	"tarry/run/lock"
	"tarry/run/outdir"
)

// openOut makes the folder of --out ready: of this configuration, of this process alone, without
// what killed runs left.
func openOut(c *cli.Context, s *config.Setup) (release func(), err error) {
	release, err = claimOut(c, s.Config.Out, outdir.WithPolicies(s.BaseJSON(), s.Config.Policies))
	if err == nil {
		if err = outdir.Label(s.Config.Out, s.Labels); err != nil {
			release()
		}
	}
	return release, err
}

// claimOut does so for a configuration in any words; "" is no folder.
func claimOut(c *cli.Context, dir, want string) (release func(), err error) {
	release, err = outdir.Claim(dir, want, c.Bool("force"))
	if errors.Is(err, outdir.ErrOther) {
		err = usageError{err}
	}
	return release, err
}

// folderKind is what a command writes into a folder of files whose names it chooses.
type folderKind struct {
	flag, name string
	ours       func(fs.DirEntry) bool
}

// pictureFolder is a folder of figures, and of folders of figures.
func pictureFolder(flag string) folderKind {
	return folderKind{flag, "pictures", func(e fs.DirEntry) bool {
		return e.IsDir() || slices.Contains([]string{".png", ".svg", ".pdf", ".pgf", ".csv", ".parquet"},
			filepath.Ext(e.Name()))
	}}
}

// boardFolder is a folder of event files, and of folders of event files.
func boardFolder() folderKind {
	return folderKind{"--out", "event files", func(e fs.DirEntry) bool {
		return e.IsDir() ||
			strings.Contains(e.Name(), "tfevents")
	}}
}

// partFolder is a folder of the parts of a workload.
func partFolder() folderKind {
	return folderKind{"--out", "tarry trace split", func(e fs.DirEntry) bool {
		stem, _, _ := strings.Cut(e.Name(), ".")
		return !e.IsDir() && slices.Contains([]string{"train", "validation", "test"}, stem)
	}}
}

// free refuses a folder that holds files of others; "" is free. It is asked before long work, and
// again by fill.
func (k folderKind) free(dir string) error {
	if dir == "" {
		return nil
	}
	err := lock.Free(dir, k.name, k.ours)
	var path *fs.PathError
	if errors.As(err, &path) {
		err = fmt.Errorf("%s: %w", k.flag, err)
	}
	return err
}

// fill lets write put its files into the folder, which is this process's alone meanwhile.
func (k folderKind) fill(dir string, write func() error) error {
	if err := k.free(dir); err != nil {
		return err
	}
	release, err := lock.Folder(dir)
	if err != nil {
		return err
	}
	defer release()
	if _, err := results.RemoveTemp(dir, "."); err != nil {
		return fmt.Errorf("%s: %w", k.flag, err)
	}
	return write()
}
