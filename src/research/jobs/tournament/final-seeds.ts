import { spawnSync } from 'node:child_process'
import { err, ok, type Result } from '../../../base/result.ts'
import type { FinalSeeds } from '../../tournament/plan.ts'
import { shippedConfig } from '../read-scenarios.ts'

const PASS = 'pass the commit of the last change to src, strategies and config: --final <commit>'
const CODE = ['--', 'src', 'strategies', 'config']

/** Returns the first final seed, above all others: code cannot be tuned to the hash of the commit that contains it. */
export function firstFinalSeed(commit: string): number {
  return 2 ** 30 + Number.parseInt(commit.slice(0, 7), 16)
}

/** Returns the given commit, or that of the last change of the code, which must be committed. Only a git work tree can verify one. */
export function finalSeeds(given: string | true): Result<FinalSeeds, string> {
  if (given !== true && !/^[0-9a-f]{7,40}$/.test(given))
    return err(`--final: ${given} is not a commit; expected 7 to 40 hexadecimal digits`)
  const git = (...words: readonly string[]) =>
    spawnSync('git', words, { cwd: shippedConfig('..'), encoding: 'utf8' })
  // Git would find the repository of another project around an installed package.
  const isClone = import.meta.url.endsWith('.ts') && git('rev-parse').status === 0
  if (given !== true) {
    if (!isClone) return ok({ commit: given, caveats: ['not verified, because there is no git work tree'] })
    if (git('cat-file', '-e', `${given}^{commit}`).status === 0) return ok({ commit: given, caveats: [] })
    return err(`--final: this clone has no commit ${given}; ${PASS}`)
  }
  if (!isClone) return err(`--final: there is no git work tree; ${PASS}`)
  const changes = git('status', '--porcelain', ...CODE).stdout
  if (changes !== '')
    return err(`--final: commit these changes first, because the seeds derive from it:\n${changes}`)
  return ok({ commit: git('log', '-1', '--format=%H', ...CODE).stdout.trim(), caveats: [] })
}
