"""An episode with random legal actions. The pages of the environments show it."""
import tarry

env = tarry.Env("probe/Masked-v0")
env.action_space.seed(1)
obs, info = env.reset(seed=1)
total, done = 0.0, False
for _ in range(1000):
    obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
    total += reward
    if terminated or truncated:
        break
print(total)
env.close()
