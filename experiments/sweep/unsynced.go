package sweep

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"

	"tarry/internal/rundir"
	"tarry/output/durable"
	"tarry/output/results"
)

// unsyncedName is a file in a folder some of whose cells may be done and not durable; it holds the
// boot of the machine that ran them.
const unsyncedName = ".unsynced"

// bootFile has a new text after each start of the machine.
const bootFile = "/proc/sys/kernel/random/boot_id"

// boot names the time since the machine started; "" = unknown.
func boot() string {
	data, err := rundir.ReadFile(bootFile)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// Unsynced lets many cells become durable at once: with it as WorkOptions.Unsynced a cell is done
// when its files have their names, and durable at the next Sync. nil = each cell waits for itself,
// where the system has no such call. Only the holder of the folder's lock may call it; Synced ends
// it.
func (f *Folder) Unsynced() (*durable.Unsynced, error) {
	u := durable.New(f.Dir)
	if u == nil {
		return nil, nil
	}
	return u, storage(results.WriteFile(filepath.Join(f.Dir, unsyncedName), []byte(boot()+"\n")))
}

// Synced makes the last cells durable, and the cells that a killed run left.
func (f *Folder) Synced(u *durable.Unsynced) error {
	if u == nil {
		return nil
	}
	if err := u.SyncAll(); err != nil {
		return storage(err)
	}
	return storage(ignoreMissing(os.Remove(filepath.Join(f.Dir, unsyncedName))))
}

// settle is Synced where no cell is run any more.
func (f *Folder) settle() error {
	if _, err := os.Stat(filepath.Join(f.Dir, unsyncedName)); err != nil {
		return storage(ignoreMissing(err))
	}
	return f.Synced(durable.New(f.Dir))
}

// Recover takes the STATUS of cells away that were done and whose files are not as they were, after a
// run that the end of the machine cut: they run again. After any other end of a run, kill -9
// included, nothing is lost and nothing is looked at. It lists the cells; a folder that another
// process runs is left alone.
func (f *Folder) Recover(ctx context.Context) (again []string, err error) {
	data, err := rundir.ReadFile(filepath.Join(f.Dir, unsyncedName))
	if err != nil {
		return nil, storage(ignoreMissing(err))
	}
	if now := boot(); now != "" && now == string(bytes.TrimSpace(data)) {
		return nil, nil
	}
	release, err := f.Lock(false)
	if err != nil {
		return nil, nil // its engine states why, if it needs the lock
	}
	defer release()
	again, _, _, err = f.Verify(ctx)
	if err != nil {
		return nil, err
	}
	indices := make([]int, len(again))
	for k, id := range again {
		indices[k] = f.index[id]
	}
	if err := f.Retry(indices); err != nil {
		return nil, err
	}
	return again, storage(ignoreMissing(os.Remove(filepath.Join(f.Dir, unsyncedName))))
}
