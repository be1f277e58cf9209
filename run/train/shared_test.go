package train

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/env"
	"tarry/env/scenario"
)

// A run opens its trace before it begins and never again: with the file gone it leaves the bytes of
// one that opens it for each of its environments, over any number of workers, and so does one that
// is resumed.
func TestTraceIsOpenedOnce(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "jobs.csv")
	text := "id,submit_s,gpus,work_s\n"
	for i := range 600 {
		text += fmt.Sprintf("%d,%d,%d,%d\n", i, 200*i, 1+i%5, 1500)
	}
	write := func() {
		if err := os.WriteFile(trace, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write()
	on := "tarry/DelayTimer-v0:cluster=2x2x4,warm=1,horizon=4,lease_s=1800,gap=0,thin=2,trace=" + trace
	set := []string{"imitate=dally", "imitate_episodes=1"}
	plain, each := short(t, on, set...), t.TempDir()
	apart := shipped.All() // environments that a Maker does not look into share nothing
	for i := range apart.Envs {
		build := apart.Envs[i].New
		apart.Envs[i].New = func(from scenario.Catalogues, options string) (env.Env, error) {
			e, err := build(from, options)
			return opaque{e}, err
		}
	}
	plain.maker = apart.Maker()
	if _, err := Run(context.Background(), plain, Options{Out: each}); err != nil {
		t.Fatal(err)
	}
	want := contents(t, each)
	for workers := 1; workers <= 2; workers++ {
		write()
		cfg, dir := short(t, on, set...), t.TempDir()
		if err := os.Remove(trace); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		_, err := Run(ctx, cfg, Options{Out: dir, Workers: workers, Watch: func(p Progress) {
			if p.Updates > 0 && p.Row.Update == 3 {
				cancel()
			}
		}})
		if err == nil {
			t.Fatal("an interrupted run ended")
		}
		if _, err := Run(context.Background(), cfg, Options{Out: dir, Resume: true}); err == nil ||
			!strings.Contains(err.Error(), "jobs.csv") {
			t.Errorf("a second run did not look for the trace: %v", err)
		}
		write()
		again, err := Recorded(shipped.All(), dir)
		if err == nil {
			again, err = again.With("", "", nil, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(trace); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(context.Background(), again, Options{Out: dir, Resume: true, Workers: workers}); err != nil {
			t.Fatal(err)
		}
		same(t, fmt.Sprintf("%d workers", workers), want, contents(t, dir))
	}
}

// opaque is an environment of a type of its own.
type opaque struct{ env.Env }

// Unwrap gives the environment inside.
func (o opaque) Unwrap() env.Env { return o.Env }

func (o opaque) Snapshot() ([]byte, error) { return env.Snapshot(o.Env) }

func (o opaque) Restore(data []byte) (env.Step, error) { return env.Restore(o.Env, data) }
