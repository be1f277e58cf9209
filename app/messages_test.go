package app

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMessages: the whole text of errors that a user meets at the first slip.
func TestMessages(t *testing.T) {
	dir := t.TempDir()
	trained := filepath.Join(dir, "trained")
	good(t, dir, "train", "--env", "classic/CartPole-v1", "--out", "trained", "--set", "hidden=8", "--steps", "2048",
		"--set", "validate_episodes=1")
	for _, name := range []string{"best.ckpt", "last.ckpt"} {
		if err := os.Truncate(filepath.Join(trained, "checkpoints", name), 0); err != nil {
			t.Fatal(err)
		}
	}
	demo := func(args ...string) []string {
		return append([]string{"simulate", "--trace", "synth:demo,jobs=5", "--policy", "fifo"}, args...)
	}
	const help = " (see tarry simulate --help)"
	for _, c := range []struct {
		args []string
		want string
	}{
		{demo("--seed", "-1"), `--seed is "-1", expected a whole number >= 0` + help},
		{demo("--seed=99999999999999999999"),
			`--seed is "99999999999999999999", expected a whole number in 0..9223372036854775807` + help},
		{demo("--seed", "010"), `--seed is "010", expected a whole number >= 0` + help},
		{demo("--replicates", "3,5"), `--replicates is "3,5", expected a whole number` + help},
		{demo("--replicates", "0x10"), `--replicates is "0x10", expected a whole number` + help},
		{demo("-j", "1_0"), `--jobs is "1_0", expected a whole number` + help},
		{demo("--until", "0,9"), `--until is "0,9", expected a number with a point before the decimals` + help},
		{demo("--until", "nan", "--seed", "x"), "--until is \"nan\", expected a number\n--seed is \"x\", expected a " +
			"whole number >= 0" + help},
		{demo("--until"), `--until needs a value` + help},
		{demo("-o"), `--out needs a value` + help},
		{demo("--strict=maybe"), `--strict is "maybe", expected true, false or nothing` + help},
		{[]string{"sweep", "--stale", "5"},
			`--stale is "5", expected a time such as 90s, 10m or 1h30m (see tarry sweep --help)`},
		{[]string{"simulate", "--trace", "synth:demo,load=0,9", "--policy", "fifo"},
			`--trace: synth:demo: load is "0,9", expected a point before the decimals, not a comma: load=0.9`},
		{[]string{"simulate", "--trace", "synth:demo", "--policy", "dally,fifo"},
			`--policy: policy "dally,fifo": a comma separates the settings of one policy, expected each policy by itself: --policy dally --policy fifo (in a file a list: [dally, fifo])`},
		{demo("--cost", "start_s=0,5"),
			`--cost: cost: start_s is "0,5", expected a point before the decimals, not a comma: start_s=0.5`},
		{demo("--speed", "tiers:rack=1,5"),
			`--speed: speed model "tiers:rack=1,5": rack is "1,5", expected a point before the decimals, not a comma: rack=1.5`},
		{[]string{"train", "--env", "tarry/DelayTimer-v0:load=0,9", "--out", "x"},
			`tarry/DelayTimer-v0: load is "0,9", expected a point before the decimals, not a comma: load=0.9`},
		{[]string{"train", "--env", "classic/Pendulum-v1", "--agent", "dqn", "--out", "x"},
			`dqn: the actions of classic/Pendulum-v1 are Box (1 real number), expected Discrete: another agent takes them (see tarry list agents)`},
		{[]string{"train", "--env", "classic/CartPole-v1", "--agent", "sac", "--out", "x"},
			`sac: the actions of classic/CartPole-v1 are Discrete (2 choices), expected Box: another agent takes them (see tarry list agents)`},
		{[]string{"train", "--out", "trained", "--resume", "--steps", "4096"},
			`checkpoint trained/checkpoints/best.ckpt: the file is empty, expected what training saved: a full disk or a copy that broke off leaves such a file`},
		{[]string{"--version", "list"}, `--version stands alone, not before "list"`},
		{[]string{"completion", "fis"}, `shell "fis", expected bash, zsh or fish; did you mean "fish"?`},
	} {
		if s := tarry(t, dir, c.args...); s.code == exitOK || s.errors != "tarry: "+c.want+"\n" || s.out != "" {
			t.Errorf("tarry %q says (code %d)\n%swant\ntarry: %s", c.args, s.code, s.errors, c.want)
		}
	}
}
