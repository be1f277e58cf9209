package app

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"tarry/sim/param"
)

// line is a command line as it was typed: which command, which flags with which text, what is left.
// The flag reader keeps values only, and stops at the first fault.
type line struct {
	path  []*cli.Command // the command and its sub-commands; empty before the first
	flags []typed
	rest  []string // arguments behind the flags
	open  cli.Flag // the last flag, when its value is still to come
}

// typed is a flag with the text of its value.
type typed struct {
	flag cli.Flag
	name string // as it was typed, without the dashes
	text string
}

// readLine walks over the words of a command line, the program's name left out.
func readLine(app *cli.App, words []string) line {
	var l line
	commands, flags := app.Commands, app.Flags
	for i := 0; i < len(words); i++ {
		name, text, equals := strings.Cut(strings.TrimLeft(words[i], "-"), "=")
		switch {
		case words[i] == "--":
			l.rest = append(l.rest, words[i+1:]...)
			return l
		case strings.HasPrefix(words[i], "-") && name != "":
			f := flagOf(flags, name)
			if f == nil {
				continue
			}
			if _, yes := f.(*cli.BoolFlag); !yes && !equals {
				if i++; i == len(words) {
					l.open = f
					return l
				}
				text = words[i]
			}
			l.flags = append(l.flags, typed{f, name, text})
		default:
			sub := commandOf(commands, words[i])
			if sub == nil {
				l.rest = append(l.rest, words[i])
				continue
			}
			l.path = append(l.path, sub)
			commands, flags = sub.Subcommands, sub.Flags
		}
	}
	return l
}

func flagOf(flags []cli.Flag, name string) cli.Flag {
	for _, f := range flags {
		for _, n := range f.Names() {
			if n == name {
				return f
			}
		}
	}
	return nil
}

func commandOf(commands []*cli.Command, name string) *cli.Command {
	for _, k := range commands {
		if k.HasName(name) {
			return k
		}
	}
	return nil
}

// command is the command as it is typed.
func (l *line) command() string {
	out := "tarry"
	for _, k := range l.path {
		out += " " + k.Name
	}
	return out
}

// checkNumbers reports every value of a command line that should be a number and is none. The flag
// reader takes 010 for eight and 1_000 for a thousand, and of what is wrong it states "parse
// error".
func checkNumbers(app *cli.App, words []string) error {
	l := readLine(app, words)
	var errs []error
	for _, f := range l.flags {
		if want := numberFault(f); want != "" {
			errs = append(errs, fmt.Errorf("--%s is %q, expected %s", f.flag.Names()[0], f.text, want))
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return usageError{fmt.Errorf("%w (see %s --help)", errors.Join(errs...), l.command())}
}

// numberFault reports what was expected where the text of a numeric flag is wrong; "" = it is
// right.
func numberFault(f typed) string {
	var err error
	want := ""
	switch f.flag.(type) {
	case *cli.IntFlag, *cli.Int64Flag:
		if want, err = "a whole number", whole(f.text); err == nil {
			if _, err = strconv.ParseInt(f.text, 10, 64); err != nil {
				want = fmt.Sprintf("a whole number in %d..%d", math.MinInt64, math.MaxInt64)
			}
		}
	case *cli.Uint64Flag:
		if want, err = "a whole number >= 0", whole(f.text); err == nil && f.text[0] != '-' {
			// Seeds are columns of signed integers.
			if _, err = strconv.ParseUint(strings.TrimPrefix(f.text, "+"), 10, 63); err != nil {
				want = fmt.Sprintf("a whole number in 0..%d", math.MaxInt64)
			}
		} else if err == nil {
			err = strconv.ErrRange
		}
	case *cli.Float64Flag:
		want = "a number"
		if strings.Contains(f.text, ",") {
			want = "a number with a point before the decimals"
		}
		_, err = param.ParseFloat(f.text)
	}
	if err == nil {
		return ""
	}
	return want
}

// whole refuses what is no decimal whole number, and 010, which the flag reader takes for an octal
// one.
func whole(text string) error {
	digits := strings.TrimLeft(text, "+-")
	if len(text)-len(digits) > 1 || digits == "" || strings.Trim(digits, "0123456789") != "" || len(digits) > 1 &&
		digits[0] == '0' {
		return strconv.ErrSyntax
	}
	return nil
}
