import { beforeAll, describe, expect, test } from 'vitest'
import { ok } from '../../../../../src/base/result.ts'
import { renderDay } from '../../../../../src/research/close/folder/write-day.ts'
import type { Verifier } from '../../../../../src/research/close/proof/verifier.ts'
import { checkDay, type DayFiles } from '../../../../../src/research/close/verify/check-day.ts'
import { bodyOf, keptFolder, recordDays, signDigest, storeOf, VERIFIER } from '../close-fixture.ts'

const DAY = '2026-11-20'
const CLOSED_AT = Date.parse('2026-11-21T00:01:00Z')
const STAMPED_AT = Date.parse('2026-11-01T00:00:00Z')
let bytes: Buffer
beforeAll(async () => {
  bytes = renderDay(bodyOf(await storeOf(recordDays(), keptFolder()), DAY)).bytes
})

/** Judges a signed day; returns the times at which its key had to be allowed, and the report. */
function judged(more: DayFiles, verifier: Partial<Verifier>) {
  const times: number[] = []
  const files = new Map([[`${DAY}.json`, bytes], [`${DAY}.json.sig`, signDigest(bytes)], ...more])
  const report = checkDay(DAY, files, {
    ...VERIFIER,
    timestamp: () => ok(STAMPED_AT),
    ...verifier,
    signature(message, armour, at) {
      times.push(at)
      return VERIFIER.signature(message, armour, at)
    },
  })
  return { times, report }
}

describe('the time at which a key has to be allowed', () => {
  const stamped = new Map([[`${DAY}.json.tsr`, Buffer.from('an answer')]])

  test('is that of the time-stamp once it is verified with the authority that the auditor trusts', () => {
    const { times, report } = judged(stamped, { hasAuthority: true })
    expect(times).toEqual([STAMPED_AT])
    expect(report).toMatchObject({ timestampAt: '2026-11-01T00:00:00.000Z', isTimestampVerified: true })
  })

  test('is the one in the close without such an authority, whatever the time-stamp claims', () => {
    const { times, report } = judged(stamped, {})
    expect(times).toEqual([CLOSED_AT])
    expect(report).toMatchObject({ timestampAt: '2026-11-01T00:00:00.000Z', isTimestampVerified: false })
  })

  test('is the one in the close where the time-stamp does not verify or is missing, which is a problem with an authority', () => {
    const broken = judged(stamped, { hasAuthority: true, timestamp: VERIFIER.timestamp })
    expect(broken.times).toEqual([CLOSED_AT])
    expect(broken.report.isTimestampVerified).toBe(false)
    expect(broken.report.problems).toContain(`${DAY}.json.tsr does not hold: it is no time-stamp`)
    const missing = judged(new Map(), { hasAuthority: true })
    expect(missing.times).toEqual([CLOSED_AT])
    expect(missing.report.problems).toContain(`${DAY}.json has no time-stamp`)
    expect(judged(new Map(), {}).report.problems).not.toContain(`${DAY}.json has no time-stamp`)
  })
})
