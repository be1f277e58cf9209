package k8s

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"tarry/experiments/engine"
	"tarry/experiments/sweep"
	"tarry/output/results"
	"tarry/sim/param"
)

// Run writes an Indexed Job for the pending cells: the manifest into k8s/job-N.yaml of the sweep's
// folder and to j.Out, ready for kubectl apply, and the list that turns the Job's completion
// indices, which count from 0, into cells into k8s/job-N.cells. It talks to no cluster; the error
// is engine.ErrHandedOut.
//
// The pods see the sweep's folder through a volume claim. One that is evicted, preempted or asked
// to stop (exit code 75) is replaced without being counted; exit code 42 fails its index at once;
// other failures are tried again as often as backoff states.
func Run(ctx context.Context, j *engine.Job) error {
	dir, err := filepath.Abs(j.Dir)
	if err != nil {
		return err
	}
	opt, err := parseK8sOptions(j.Options, j.Places, j.Folder.Spec.Name, dir, len(j.Pending))
	if err != nil {
		return err
	}
	if len(j.Pending) == 0 {
		return nil
	}
	if err := os.MkdirAll(filepath.Join(dir, "k8s"), 0o777); err != nil {
		return fmt.Errorf("%w: %w", sweep.ErrStorage, err)
	}
	n := 1
	for exists(filepath.Join(dir, "k8s", fmt.Sprintf("job-%d.yaml", n))) {
		n++
	}
	list := fmt.Sprintf("k8s/job-%d.cells", n)
	var lines strings.Builder
	for _, cell := range j.Pending {
		fmt.Fprintln(&lines, cell)
	}
	command := append([]string{opt.program}, j.Worker[1:]...)
	m := k8sManifest{opt: &opt, sweep: j.Folder.Spec.Name, number: n, cells: len(j.Pending),
		parallel: max(j.Parallel, 1),
		command:  append(command, "--out", opt.folder, "--list", path.Join(opt.folder, list))}
	text := m.text()
	file := filepath.Join(dir, "k8s", fmt.Sprintf("job-%d.yaml", n))
	if err := errors.Join(results.WriteFile(filepath.Join(dir, list), []byte(lines.String())),
		results.WriteFile(file, []byte(text))); err != nil {
		return fmt.Errorf("%w: %w", sweep.ErrStorage, err)
	}
	fmt.Fprintf(j.Log, "k8s: %d cells in %s; kubectl apply -f %s starts them\n", len(j.Pending), file,
		engine.QuoteShell(file))
	if _, err := io.WriteString(j.Out, text); err != nil {
		return err
	}
	return engine.ErrHandedOut
}

// exists reports whether there is a file.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// k8sOptions are the options of the k8s engine.
type k8sOptions struct {
	name, namespace, image, pull, program                  string
	claim, mount, subPath, folder, workdir                 string
	uid, gid                                               string
	cpu, memory, gpus                                      string
	queue, account, priority                               string
	backoff, maxFailed, grace, keep, deadline, parallelism int
	suspend                                                bool
}

// k8sKeys lists them for errors.
const k8sKeys = "image, claim, name, namespace, pull, program, mount, sub-path, folder, workdir, user, cpu, memory, " +
	"gpus, queue, suspend, service-account, priority-class, backoff, max-failed, grace, keep, deadline or parallelism"

// parseK8sOptions reads them; all faults come together.
func parseK8sOptions(given map[string]string, at map[string]param.Place, sweep, dir string, cells int) (k8sOptions,
	error) {
	r := engine.ReadOptions("k8s", given, at)
	where := sha256.Sum256([]byte(dir))
	o := k8sOptions{
		name:        r.Text("name", k8sName(sweep, where[:3])),
		namespace:   r.Text("namespace", ""),
		image:       r.Text("image", ""),
		pull:        r.Text("pull", "IfNotPresent"),
		program:     r.Text("program", "tarry"),
		claim:       r.Text("claim", ""),
		mount:       r.Text("mount", dir),
		subPath:     r.Text("sub-path", ""),
		folder:      r.Text("folder", dir),
		workdir:     r.Text("workdir", ""),
		cpu:         r.Text("cpu", "1"),
		memory:      r.Text("memory", "2Gi"),
		gpus:        r.Text("gpus", ""),
		queue:       r.Text("queue", ""),
		account:     r.Text("service-account", ""),
		priority:    r.Text("priority-class", ""),
		backoff:     r.Count("backoff", 0, 3),
		maxFailed:   r.Count("max-failed", 0, min(cells, 10_000)),
		grace:       r.Count("grace", 1, 120),
		keep:        r.Count("keep", 0, 0),
		deadline:    r.Count("deadline", 1, 0),
		parallelism: r.Count("parallelism", 1, 0),
	}
	o.uid, o.gid = user(r)
	o.suspend = r.Flag("suspend", o.queue != "")
	if o.image == "" {
		r.Fault("image", "", "the image that has the program, as in registry.example/tarry:1.0")
	}
	if o.claim == "" {
		r.Fault("claim", "", "the name of the PersistentVolumeClaim that holds the sweep's folder")
	}
	if len(o.name) > 50 || k8sName(o.name, nil) != o.name {
		r.Fault("name", o.name, "at most 50 small letters, digits and -")
	}
	switch o.pull {
	case "Always", "IfNotPresent", "Never":
	default:
		r.Fault("pull", o.pull, "Always, IfNotPresent or Never")
	}
	for _, p := range [][2]string{{"mount", o.mount}, {"folder", o.folder}} {
		if !path.IsAbs(p[1]) {
			r.Fault(p[0], p[1], "an absolute path in the pod")
		}
	}
	if o.folder != o.mount && !strings.HasPrefix(o.folder, strings.TrimSuffix(o.mount, "/")+"/") {
		r.Fault("folder", o.folder, "a folder below mount="+o.mount)
	}
	return o, r.Rest(k8sKeys)
}

// k8sName makes the name of an object from a text: small letters, digits and "-".
func k8sName(text string, hash []byte) string {
	text = strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-':
			return c
		case c >= 'A' && c <= 'Z':
			return c - 'A' + 'a'
		}
		return '-'
	}, text)
	if hash == nil {
		return strings.Trim(text, "-")
	}
	return strings.Trim("tarry-"+strings.Trim(text[:min(len(text), 36)], "-"), "-") + fmt.Sprintf("-%x", hash)
}

// yamlText writes a text so that YAML reads it as that text: JSON's quotes are YAML's.
func yamlText(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil { // a string always has a JSON form
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// user reads the option user: UID or UID:GID, numbers above 0 as Kubernetes has them; "" = not
// given.
func user(r *engine.Options) (uid, gid string) {
	const key = "user"
	v, ok := r.Take(key)
	if !ok {
		return "", ""
	}
	uid, gid, both := strings.Cut(v, ":")
	for _, id := range []string{uid, gid} {
		if n, err := strconv.ParseInt(id, 10, 32); (err != nil || n < 1 || strconv.FormatInt(n, 10) != id) &&
			(both || id == uid) {
			r.Fault(key, v, "UID or UID:GID, numbers in 1..2147483647 (id -u and id -g print one's own)")
			break
		}
	}
	return uid, gid
}
