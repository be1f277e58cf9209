"""What make wheel asks of the wheel that it made, installed and without Go: package and command are one version, and an environment steps."""

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
print(f"tarry {said} works from the wheel")
