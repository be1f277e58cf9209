package app

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Runs of the other learners by policy gradients, and of a policy search, that are killed again and
// again, or asked to stop, leave the bytes of one that was not; and eval measures what they left.
func TestTrainPolicyGradientsKilled(t *testing.T) {
	const order = "tarry/Order-v0:cluster=2x2x4,windows=6,warm=2,horizon=6"
	for agent, c := range map[string]struct{ env, settings string }{
		"a2c": {smallEnv, "total_steps=640 envs=2 steps=8 rollouts=4 hidden=8 checkpoint_every=2 " +
			"validate_every=5 validate_episodes=2"},
		"reinforce": {smallEnv, "total_steps=640 sequences=2 rollouts=2 horizon=4 hidden=8 " +
			"checkpoint_every=2 validate_every=3 validate_episodes=2"},
		"mixture": {"tarry/Mix-v0:cluster=2x2x4,windows=6,warm=2,horizon=6,load=1.2", "total_steps=640 sequences=2 " +
			"gradient=spsa checkpoint_every=2 validate_every=3 validate_episodes=2"},
		"cmaes-policy": {smallEnv, "generations=12 population=4 windows=3 encoder=classes hidden=2 " +
			"checkpoint_every=5 validate_every=4 validate_episodes=2"},
		"openai-es-policy": {order, "generations=15 population=6 windows=4 checkpoint_every=4 validate_every=5 " +
			"validate_episodes=2"},
	} {
		dir := t.TempDir()
		args := func(out string, more ...string) []string {
			all := []string{"train", "--env", c.env, "--agent", agent, "--out", out, "--seed", "5"}
			for _, s := range strings.Fields(c.settings) {
				all = append(all, "--set", s)
			}
			return append(all, more...)
		}
		good(t, dir, args("whole")...)
		want := sums(t, filepath.Join(dir, "whole"))
		for round, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
			out := fmt.Sprint("killed", round)
			for try := 0; ; try++ {
				if try > 40 {
					t.Fatalf("%s: 40 starts did not end the run", agent)
				}
				code := startAndSignal(t, dir, sig, time.Duration(15+40*try)*time.Millisecond,
					args(out, "--resume", "--jobs", fmt.Sprint(1+try%2))...)
				if code == exitOK {
					break
				}
				// -1: the signal came before the program listened
				if sig != syscall.SIGKILL && code != exitRequeue && code != -1 {
					t.Fatalf("%s: signal %v gives exit code %d, expected %d", agent, sig, code, exitRequeue)
				}
			}
			sameFiles(t, fmt.Sprint(agent, " after ", sig), want, sums(t, filepath.Join(dir, out)))
		}
		table := good(t, dir, "eval", "--checkpoint", "whole", "--baselines", "dally", "--count", "2")
		if !strings.Contains(table.out, agent+"-5-best") {
			t.Errorf("%s: the table of eval lacks it:\n%s", agent, table.out)
		}
	}
}
