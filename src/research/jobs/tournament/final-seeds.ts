import { spawnSync } from 'node:child_process'
import { err, ok, type Result } from '../../../base/result.ts'
import { shippedConfig } from '../read-scenarios.ts'

const PASS = 'pass the commit of the last change to src, strategies and config: --final <commit>'

/** Returns the first final seed, above all others: code cannot be tuned to the hash of the commit that contains it. */
export function firstFinalSeed(commit: string): number {
  return 2 ** 30 + Number.parseInt(commit.slice(0, 7), 16)
}

/** Returns the given commit, or that of the last change of the code, which must be committed. */
export function commitOfCode(given: string | true): Result<string, string> {
  if (given !== true && /^[0-9a-f]{7,40}$/.test(given)) return ok(given)
  if (given !== true) return err(`--final: ${given} is not a commit; expected 7 to 40 hexadecimal digits`)
  // Git would find the repository of another project around an installed package.
  if (!import.meta.url.endsWith('.ts')) return err(`--final: an installed package has no commit; ${PASS}`)
  const git = (...words: readonly string[]) => {
    const paths = ['--', 'src', 'strategies', 'config']
    return spawnSync('git', [...words, ...paths], { cwd: shippedConfig('..'), encoding: 'utf8' })
  }
  const status = git('status', '--porcelain')
  if (status.status !== 0) return err(`--final: there is no git work tree; ${PASS}`)
  if (status.stdout !== '')
    return err(`--final: commit these changes first, because the seeds derive from it:\n${status.stdout}`)
  return ok(git('log', '-1', '--format=%H').stdout.trim())
}
