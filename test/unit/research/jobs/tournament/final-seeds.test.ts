import { spawnSync } from 'node:child_process'
import { describe, expect, test, vi } from 'vitest'
import { finalSeeds, firstFinalSeed } from '../../../../../src/research/jobs/tournament/final-seeds.ts'

const git = (...words: readonly string[]) => spawnSync('git', words, { encoding: 'utf8' }).stdout.trim()

describe('final seeds', () => {
  test('derive from the first seven digits of a commit and are above training and development seeds', () => {
    expect(firstFinalSeed('0000001')).toBe(1_073_741_825)
    expect(firstFinalSeed('fffffff'.padEnd(40, '0')) + 10_000).toBeLessThan(2 ** 31)
    expect(finalSeeds('v1.2')).toMatchObject({ ok: false, error: expect.stringMatching(/v1\.2/) as string })
  })

  test('of a given commit need one of this clone; without a git work tree they report that it is not verified', () => {
    const commit = git('rev-parse', '--short=9', 'HEAD')
    expect(finalSeeds(commit)).toEqual({ ok: true, value: { commit, caveats: [] } })
    expect(finalSeeds('abcdef1')).toMatchObject({
      ok: false,
      error: expect.stringMatching(/no commit/) as string,
    })
    vi.stubEnv('GIT_DIR', '/nowhere')
    const caveats = [expect.stringMatching(/^not verified/)]
    expect(finalSeeds('abcdef1')).toEqual({ ok: true, value: { commit: 'abcdef1', caveats } })
    vi.unstubAllEnvs()
  })

  test('are those of the last commit that changes code, and refused while a change of it is not committed', () => {
    const code = ['--', 'src', 'strategies', 'config']
    const changes = git('status', '--porcelain', ...code)
    const commit = finalSeeds(true)
    if (changes === '')
      expect(commit).toMatchObject({ value: { commit: git('log', '-1', '--format=%H', ...code) } })
    else
      expect(commit).toMatchObject({
        ok: false,
        error: expect.stringMatching(/commit these changes/) as string,
      })
  })
})
