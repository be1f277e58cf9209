package k8s

import (
	"fmt"
	"strings"
)

// k8sManifest is an Indexed Job.
type k8sManifest struct {
	opt                     *k8sOptions
	sweep                   string
	number, cells, parallel int
	command                 []string
}

// yamlWriter writes lines at an indent.
type yamlWriter struct{ b strings.Builder }

func (w *yamlWriter) line(indent int, format string, args ...any) {
	w.b.WriteString(strings.Repeat("  ", indent))
	fmt.Fprintf(&w.b, format+"\n", args...)
}

// when writes "key: value" if there is a value.
func (w *yamlWriter) when(indent int, key, value string) {
	if value != "" {
		w.line(indent, "%s: %s", key, yamlText(value))
	}
}

// positive writes "key: n" if n > 0.
func (w *yamlWriter) positive(indent int, key string, n int) {
	if n > 0 {
		w.line(indent, "%s: %d", key, n)
	}
}

// text writes the manifest.
func (m *k8sManifest) text() string {
	o, w := m.opt, &yamlWriter{}
	parallel := m.parallel
	if o.parallelism > 0 {
		parallel = o.parallelism
	}
	w.line(0, "# %d cells of the sweep %s. Index i of this Job is the cell on line i+1 of job-%d.cells.", m.cells,
		m.sweep, m.number)
	w.line(0, "apiVersion: batch/v1")
	w.line(0, "kind: Job")
	w.line(0, "metadata:")
	w.line(1, "name: %s", yamlText(fmt.Sprintf("%s-%d", o.name, m.number)))
	w.when(1, "namespace", o.namespace)
	w.line(1, "labels:")
	w.line(2, "app.kubernetes.io/name: tarry")
	w.when(2, "kueue.x-k8s.io/queue-name", o.queue)
	w.line(0, "spec:")
	w.line(1, "completionMode: Indexed")
	w.line(1, "completions: %d", m.cells)
	w.line(1, "parallelism: %d", min(parallel, m.cells))
	w.line(1, "backoffLimitPerIndex: %d", o.backoff)
	w.line(1, "maxFailedIndexes: %d", min(o.maxFailed, m.cells))
	w.positive(1, "activeDeadlineSeconds", o.deadline)
	w.positive(1, "ttlSecondsAfterFinished", o.keep)
	if o.suspend {
		w.line(1, "suspend: true")
	}
	w.line(1, "podFailurePolicy:")
	w.line(2, "rules:")
	w.line(2, "- action: Ignore") // evicted, preempted, node drained: not the cell's fault
	w.line(3, "onPodConditions:")
	w.line(3, "- type: DisruptionTarget")
	w.line(4, `status: "True"`)
	for _, rule := range []struct {
		action string
		code   int
	}{{"Ignore", 75}, {"FailIndex", 42}} {
		w.line(2, "- action: %s", rule.action)
		w.line(3, "onExitCodes:")
		w.line(4, "containerName: worker")
		w.line(4, "operator: In")
		w.line(4, "values: [%d]", rule.code)
	}
	w.line(1, "template:")
	w.line(2, "metadata:")
	w.line(3, "labels:")
	w.line(4, "app.kubernetes.io/name: tarry")
	w.line(2, "spec:")
	m.pod(w)
	return w.b.String()
}

// pod writes the pod's spec.
func (m *k8sManifest) pod(w *yamlWriter) {
	o := m.opt
	w.line(3, "restartPolicy: Never") // podFailurePolicy asks for it
	w.line(3, "terminationGracePeriodSeconds: %d", o.grace)
	w.when(3, "serviceAccountName", o.account)
	w.when(3, "priorityClassName", o.priority)
	m.user(w)
	w.line(3, "containers:")
	w.line(3, "- name: worker")
	w.line(4, "image: %s", yamlText(o.image))
	w.line(4, "imagePullPolicy: %s", o.pull)
	w.line(4, "command:")
	for _, word := range m.command {
		w.line(4, "- %s", yamlText(strings.ReplaceAll(word, "$(", "$$("))) // $(X) would be replaced in the pod
	}
	w.when(4, "workingDir", o.workdir)
	w.line(4, "resources:")
	for _, kind := range []string{"requests", "limits"} {
		w.line(5, "%s:", kind)
		if kind == "requests" { // a limit of processor time would only slow cells down
			w.line(6, "cpu: %s", yamlText(o.cpu))
		}
		w.line(6, "memory: %s", yamlText(o.memory))
		w.when(6, "nvidia.com/gpu", o.gpus)
	}
	w.line(4, "volumeMounts:")
	w.line(4, "- name: sweep")
	w.line(5, "mountPath: %s", yamlText(o.mount))
	w.when(5, "subPath", o.subPath)
	w.line(3, "volumes:")
	w.line(3, "- name: sweep")
	w.line(4, "persistentVolumeClaim:")
	w.line(5, "claimName: %s", yamlText(o.claim))
}

// user writes as whom the pod runs, if that is set: the files of the sweep's folder are then that
// user's, and a volume of another group is given to the group.
func (m *k8sManifest) user(w *yamlWriter) {
	o := m.opt
	if o.uid == "" {
		return
	}
	w.line(3, "securityContext:")
	w.line(4, "runAsNonRoot: true")
	w.line(4, "runAsUser: %s", o.uid)
	if o.gid != "" {
		w.line(4, "runAsGroup: %s", o.gid)
		w.line(4, "fsGroup: %s", o.gid)
		w.line(4, "fsGroupChangePolicy: OnRootMismatch")
	}
}
