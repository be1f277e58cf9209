"""A forked child gets an error, and the parent carries on."""

from __future__ import annotations

import os
import sys

import pytest
import tarry


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*")
def test_forked_child_gets_an_error() -> None:
    env = tarry.Env("classic/CartPole-v1")
    env.reset(seed=1)
    vector = tarry.VectorEnv("classic/CartPole-v1", 2)
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        said = []
        for call in (lambda: env.step(0), env.reset, env.render, vector.reset, lambda: vector.step([0, 0]), lambda: tarry.Env("classic/CartPole-v1"), tarry.list_envs):
            try:
                call()
                said.append("nothing")
            except tarry.errors.ForkedError as err:
                said.append("spawn" if "expected spawn or forkserver" in str(err) else str(err))
            except BaseException as err:
                said.append(repr(err))
        env.close()
        os.write(write, " ".join(said).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        said = pipe.read().split()
    assert os.waitpid(pid, 0)[1] == 0
    assert said == ["spawn"] * 2 + ["nothing"] + ["spawn"] * 4  # render without a mode gives None
    env.step(0)


def test_an_import_does_not_start_the_library() -> None:
    code = "import tarry, tarry._library as l, os, gymnasium; assert not l.Process.loaded; pid = os.fork()\nif pid == 0:\n    gymnasium.make('classic/CartPole-v1').reset(seed=1); os._exit(7)\nassert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7"
    assert os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-c", code]) == 0
