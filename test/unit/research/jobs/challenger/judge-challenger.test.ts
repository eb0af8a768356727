import { describe, expect, test } from 'vitest'
import {
  challengerNotice,
  judgeChallenger,
  newChallenger,
} from '../../../../../src/research/jobs/challenger/judge-challenger.ts'
import { challengerSchema } from '../../../../../src/daemon/view/challenger-view.ts'
import { exampleCompared } from '../../../daemon/view/example-challenger.ts'

const NOW = Date.UTC(2026, 10, 20, 14)
const NEW = newChallenger({ use: 'mine', params: { bps: 60 }, fingerprint: 'f' }, NOW)
const COMPARED = exampleCompared(NOW)

describe('a run of a challenger', () => {
  test('that ended well is shown, and its file gives it back as it was', () => {
    const next = judgeChallenger(NEW, { compared: COMPARED, suspension: null }, NOW + 5)
    expect(next).toMatchObject({
      since: NOW,
      at: NOW + 5,
      suspended: null,
      problem: null,
      compared: COMPARED,
    })
    expect(challengerSchema.parse(JSON.parse(JSON.stringify(next)))).toEqual(next)
  })

  test.each([
    ['its core suspended it', { compared: COMPARED, suspension: { since: NOW - 9, why: 'quote threw' } }],
    ['its file was refused', { refused: 'use: there is no file mine' }],
    ['its process had to be ended', { refused: 'the strategy did not answer within 1000 ms' }],
  ] as const)('after which %s suspends the challenger with the reason', (_name, answer) => {
    const next = judgeChallenger(NEW, answer, NOW + 5)
    expect(next.suspended?.why).toMatch(/threw|no file|not answer/)
    expect(next.problem).toBeNull()
    const notice = challengerNotice(NEW, next, NOW + 5)
    expect(notice).toMatchObject({ kind: 'raised', code: 'challenger-suspended', severity: 'warning' })
    expect(notice?.text).toContain(next.suspended?.why)
    // It stays so without another notice, until another one takes its place.
    expect(challengerNotice(next, next, NOW + 6)).toBeNull()
    expect(challengerNotice(next, newChallenger(NEW, NOW), NOW)).toMatchObject({ kind: 'lifted' })
    expect(challengerNotice(NEW, NEW, NOW)).toBeNull()
  })

  test('that only loaded it, because it begins now, is neither a problem nor a suspension', () => {
    expect(judgeChallenger(NEW, { isLoaded: true }, NOW + 5)).toEqual({ ...NEW, at: NOW + 5 })
  })

  test('that lacked a recording, or brought a figure that is no number, is a problem and no fault of the challenger', () => {
    const before = judgeChallenger(NEW, { compared: COMPARED, suspension: null }, NOW)
    const champion = { ...COMPARED.champion, edgeUsd: NaN }
    for (const answer of [
      { problem: 'nothing is recorded of this time yet' },
      { compared: { ...COMPARED, champion }, suspension: null },
    ]) {
      const next = judgeChallenger(before, answer, NOW + 5)
      expect(next).toMatchObject({ suspended: null, compared: COMPARED })
      expect(next.problem).toMatch(/nothing is recorded|champion\.edgeUsd/)
    }
  })
})
