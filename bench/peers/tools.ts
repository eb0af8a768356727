import { spawnSync } from 'node:child_process'

/** Where the programs are that the peers need; null = not on this machine. */
export type Tools = {
  readonly python: string | null
  readonly cargo: string | null
  /** Keeps a program on one core. */
  readonly taskset: string | null
}

/** What a program prints about its version; null = there is no such program. */
export type AskVersion = (program: string) => string | null

const PYTHONS = ['python3.11', 'python3', 'python']

/** The peers' packages are pinned for Python 3.11: another version would get other packages, or none. */
export function findTools(askVersion: AskVersion = versionOf): Tools {
  return {
    python: PYTHONS.find((name) => askVersion(name)?.startsWith('Python 3.11.')) ?? null,
    cargo: askVersion('cargo') === null ? null : 'cargo',
    taskset: askVersion('taskset') === null ? null : 'taskset',
  }
}

/** One sentence for each missing program: what is not measured for it, and where it comes from. */
export function missingTools({ python, cargo, taskset }: Tools): readonly string[] {
  const missing: string[] = []
  if (python === null)
    missing.push(
      'Python 3.11 is missing: hftbacktest (numba), NautilusTrader and backtesting.py are not measured; install it from https://www.python.org or with pyenv.',
    )
  if (cargo === null)
    missing.push(
      "cargo is missing: hftbacktest's Rust crate is not measured; install it from https://rustup.rs.",
    )
  if (taskset === null)
    missing.push(
      'taskset is missing: the engines are not kept on one core, and helper threads may run beside them.',
    )
  return missing
}

function versionOf(program: string): string | null {
  const { status, stdout, stderr } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return status === 0 ? `${stdout}${stderr}`.trim() : null
}
