"""What make wheel asks of the wheel that it made, installed and without Go: package and command are one version, an environment steps, a
run gives the command's rows, and all lists are there."""

import json
import subprocess

import gymnasium
import tarry

said = json.loads(subprocess.run(["tarry", "version", "--format", "json"], capture_output=True, check=True).stdout)["version"]
if said != tarry.__version__:
    raise SystemExit(f"the command has version {said}, the package {tarry.__version__}: expected the same")
env = gymnasium.make("tarry/Order-v0", load=0.9)
env.reset(seed=1)
env.step(env.action_space.sample())
run = {"trace": "synth:demo,jobs=20", "policy": "fifo"}
printed = subprocess.run(["tarry", "simulate", *(f"--{k}={v}" for k, v in run.items()), "--format", "json"], capture_output=True, check=True)
if tarry.simulate(**run).rows != [json.loads(printed.stdout)] or tarry.simulate(**run).jobs.num_rows != 20:
    raise SystemExit(f"tarry.simulate gives {tarry.simulate(**run).rows}, the command {printed.stdout!r}")
if not tarry.list_questions() or not tarry.list_policies():
    raise SystemExit("the lists are empty")
print(f"tarry {said} works from the wheel")
