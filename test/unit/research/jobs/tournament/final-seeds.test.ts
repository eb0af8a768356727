import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { commitOfCode, firstFinalSeed } from '../../../../../src/research/jobs/tournament/final-seeds.ts'

const git = (...words: readonly string[]) => spawnSync('git', words, { encoding: 'utf8' }).stdout.trim()

describe('final seeds', () => {
  test('derive from the first seven digits of a commit and are above training and development seeds', () => {
    expect(firstFinalSeed('0000001')).toBe(1_073_741_825)
    expect(firstFinalSeed('fffffff'.padEnd(40, '0')) + 10_000).toBeLessThan(2 ** 31)
    expect(commitOfCode('452903bf9')).toEqual({ ok: true, value: '452903bf9' })
    expect(commitOfCode('v1.2')).toMatchObject({ ok: false, error: expect.stringMatching(/v1\.2/) as string })
  })

  test('are those of the last commit that changes code, and refused while a change of it is not committed', () => {
    const code = ['--', 'src', 'strategies', 'config']
    const changes = git('status', '--porcelain', ...code)
    const commit = commitOfCode(true)
    if (changes === '') expect(commit).toEqual({ ok: true, value: git('log', '-1', '--format=%H', ...code) })
    else
      expect(commit).toMatchObject({
        ok: false,
        error: expect.stringMatching(/commit these changes/) as string,
      })
  })
})
