package app

import (
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/sim/param"
)

// completeWord is the hidden command that the completion scripts call: tarry __complete WORD...
// LAST, the words of the command line up to the cursor, the last one perhaps empty. It prints the
// kind of the answer, then one candidate on a line, complete as it would be typed, with a tab
// before what it means.
const completeWord = "__complete"

// kind states what else the shell offers.
type kind string

const (
	onlyWords kind = "words" // nothing: the candidates are all there is
	files     kind = "files" // files, where there is no candidate
	folders   kind = "folders"
)

// candidate is what a word may become. One that ends in "=", ":" or "," is not at its end yet.
type candidate struct{ text, doc string }

func (from program) complete(app *cli.App, words []string, w io.Writer) int {
	last := ""
	if n := len(words); n > 0 {
		words, last = words[:n-1], words[n-1]
	}
	k, all := from.candidates(app, words, last)
	all = slices.DeleteFunc(all, func(c candidate) bool {
		// a value is to come
		return !strings.HasPrefix(c.text, last) || c.text == last && strings.TrimRight(last, "=:,") != last
	})
	text := string(k) + "\n"
	if k != onlyWords && len(all) > 0 {
		text = string(onlyWords) + "\n"
	}
	for _, c := range all {
		text += c.text + "\t" + c.doc + "\n"
	}
	if _, err := io.WriteString(w, text); err != nil {
		return exitFailed
	}
	return exitOK
}

// candidates lists what the last word of a command line may become.
func (from program) candidates(app *cli.App, words []string, last string) (kind, []candidate) {
	l := readLine(app, words)
	flags, commands := app.Flags, app.Commands
	if n := len(l.path); n > 0 {
		flags, commands = l.path[n-1].Flags, l.path[n-1].Subcommands
	}
	if l.open != nil {
		return from.valueWords(&l, l.open.Names()[0], "", last)
	}
	if name, value, ok := strings.Cut(last, "="); ok && strings.HasPrefix(last, "--") {
		f := flagOf(flags, strings.TrimLeft(name, "-"))
		if f == nil {
			return onlyWords, nil
		}
		return from.valueWords(&l, f.Names()[0], name+"=", value)
	}
	if strings.HasPrefix(last, "-") {
		return onlyWords, flagWords(&l, flags)
	}
	if len(commands) > 0 && len(l.rest) == 0 {
		var out []candidate
		for _, k := range commands {
			if !k.Hidden && k.Name != "help" {
				out = append(out, candidate{k.Name, k.Usage})
			}
		}
		if l.command() == "tarry sweep" { // a sub-command, or the file of a sweep
			return files, out
		}
		return onlyWords, out
	}
	return from.argumentWords(&l)
}

// flagWords lists the flags that were not given, or may be given again.
func flagWords(l *line, flags []cli.Flag) []candidate {
	out := []candidate{}
	for _, f := range flags {
		d, ok := f.(cli.DocGenerationFlag)
		v, seen := f.(cli.VisibleFlag)
		_, again := f.(*cli.StringSliceFlag)
		given := slices.ContainsFunc(l.flags, func(t typed) bool { return t.flag == f })
		if ok && (!seen || v.IsVisible()) && (again || !given) {
			out = append(out, candidate{"--" + f.Names()[0], strings.ReplaceAll(d.GetUsage(), "`", "")})
		}
	}
	return out
}

// argumentWords is for what stands behind the flags.
func (from program) argumentWords(l *line) (kind, []candidate) {
	switch command := l.command(); {
	case command == "tarry completion":
		return onlyWords, plain("bash", "zsh", "fish")
	case command == "tarry trace generate":
		return onlyWords, generatorWords("")
	case strings.HasPrefix(command, "tarry trace "):
		return files, from.traceWords()
	case strings.HasPrefix(command, "tarry list ") && len(l.rest) == 0:
		return onlyWords, from.listWords(l.path[len(l.path)-1].Name)
	case command == "tarry report" || command == "tarry watch" || command == "tarry figures" ||
		strings.HasPrefix(command, "tarry sweep ") || strings.HasPrefix(command, "tarry export "):
		return folders, nil
	case command == "tarry sweep":
		return files, nil
	case command == "tarry reproduce":
		return files, from.listWords("questions")
	}
	return onlyWords, nil
}

// valueWords is for the value of a flag; head is what stands before the value in the same word
// (--env=).
func (from program) valueWords(l *line, flag, head, value string) (kind, []candidate) {
	switch flag {
	case "config", "tables", "timeline", "list", "profile":
		return files, nil
	case "checkpoint", "tuned", "plot", "tables-csv":
		return folders, nil
	case "out":
		if c := l.command(); c == "tarry report" || c == "tarry trace convert" || c == "tarry trace generate" {
			return files, nil
		}
		return folders, nil
	}
	all := from.flagValues(l, flag, value)
	for i := range all {
		all[i].text = head + all[i].text
	}
	if r := from.settingOfFlag(flag); r != nil && isPath(r, value) || flag == "question" ||
		flag == "speed" && strings.HasPrefix(value, "table:") {
		return files, all
	}
	return onlyWords, all
}

// flagValues lists the values of a flag that can be listed.
func (from program) flagValues(l *line, flag, value string) []candidate {
	switch flag {
	case "policy", "baseline", "first":
		return specWords(value, from.entriesOf("policies"), from.policyKeys)
	case "baselines":
		done := value[:strings.LastIndexByte(value, ',')+1]
		return prefixed(done, named(from.entriesOf("policies")))
	case "rules":
		return ruleWords(value)
	case "env", "trained-on":
		return specWords(value, from.entriesOf("envs"), from.envKeys)
	case "layer", "layers":
		return append(plain("none"), specWords(value, from.entriesOf("layers"), from.layerKeys)...)
	case "optimiser":
		return specWords(value, from.entriesOf("optimisers"), from.optimiserKeys)
	case "agent":
		return named(from.entriesOf("agents"))
	case "question":
		return from.listWords("questions")
	case "trace":
		return from.traceWords()
	case "cluster":
		return append(plain(clusterNames()...), from.clusterFormats()...)
	case "preset":
		return named(from.entriesOf("presets"))
	case "operator":
		return specWords(value, from.entriesOf("operators"), from.operatorKeys)
	case "predict":
		return specWords(value, from.entriesOf("predictors"), from.predictorKeys)
	case "set":
		return from.setWords(l)
	case "only":
		return from.onlyOfQuestion(l)
	}
	if words := from.choices(l, flag); words != nil {
		return plain(words...)
	}
	return settingValues(from.settingOfFlag(flag), value)
}

// setWords is for --set, whose keys depend on the command and on other flags.
func (from program) setWords(l *line) []candidate {
	var keys []candidate
	switch l.command() {
	case "tarry train":
		agent := "ppo"
		for _, f := range l.flags {
			if f.flag.Names()[0] == "agent" {
				agent = f.text
			}
		}
		if e, err := from.Agents.Find(agent); err == nil {
			for _, k := range append(trainKeys(), e.Keys...) {
				keys = append(keys, candidate{k + "=", ""})
			}
		}
	case "tarry eval":
		keys = from.envKeys("tarry/DelayTimer-v0")
		keys = slices.DeleteFunc(keys, func(c candidate) bool { return c.text == "part=" })
	}
	return keys
}

// specWords is for NAME or NAME:key=value,...: names, then the keys that were not given.
func specWords(value string, all []entry, keys func(name string) []candidate) []candidate {
	name, settings, colon := strings.Cut(value, ":")
	if !colon {
		return named(all)
	}
	return settingWords(name+":", settings, keys(name))
}

// settingWords is for key=value,...: the keys that were not given yet.
func settingWords(head, settings string, keys []candidate) []candidate {
	parts := param.Split(settings)
	done := strings.Join(parts[:len(parts)-1], ",")
	if done != "" {
		done += ","
	}
	var out []candidate
	for _, k := range keys {
		given := slices.ContainsFunc(parts[:len(parts)-1], func(p string) bool { return strings.HasPrefix(p, k.text) })
		if !given {
			out = append(out, candidate{head + done + k.text, k.doc})
		}
	}
	return out
}

func named(all []entry) []candidate {
	var out []candidate
	for _, e := range all {
		out = append(out, candidate{e.Name, e.Doc})
	}
	return out
}

func plain(words ...string) []candidate {
	var out []candidate
	for _, w := range words {
		out = append(out, candidate{w, ""})
	}
	return out
}

func prefixed(head string, all []candidate) []candidate {
	for i := range all {
		all[i].text = head + all[i].text
	}
	return all
}
