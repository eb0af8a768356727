import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseRenewal } from '../../../../../src/daemon/guard/protocol/renewal.ts'

const POSITION = {
  name: 'desk',
  count: 3,
  fence: 7,
  quote: { bidBps: 60, askBps: 70 },
  isActive: true,
  worse: 'ask',
  isReconciled: true,
  isLeaving: false,
}
const RENEWAL = { version: 1, holder: 'a'.repeat(32), deadlineMs: 3_000, positions: [POSITION] }

describe('A renewal that comes over the wire', () => {
  test('is read as it was written, and what it does not name is dropped', () => {
    expect(parseRenewal({ ...RENEWAL, more: 1, positions: [{ ...POSITION, more: 2 }] })).toEqual({
      ok: true,
      value: RENEWAL,
    })
  })

  test('of a daemon of an earlier version names no lease', () => {
    const { fence: _none, ...position } = POSITION
    expect(parseRenewal({ ...RENEWAL, positions: [position] })).toMatchObject({
      value: { positions: [{ fence: null }] },
    })
  })

  test.each([
    [{ version: 2 }, 'version 1'],
    [{ holder: 'x' }, 'holder'],
    [{ deadlineMs: 0 }, 'deadlineMs'],
    [{ positions: {} }, 'positions'],
    [{ positions: [POSITION, POSITION] }, 'named twice'],
    [{ positions: [{ ...POSITION, name: '../etc' }] }, 'name'],
    [{ positions: [{ ...POSITION, count: -1 }] }, 'count'],
    [{ positions: [{ ...POSITION, count: 1.5 }] }, 'count'],
    [{ positions: [{ ...POSITION, fence: '7' }] }, 'fence'],
    [{ positions: [{ ...POSITION, quote: { bidBps: 60 } }] }, 'quote'],
    [{ positions: [{ ...POSITION, worse: 'both' }] }, 'worse'],
    [{ positions: [{ ...POSITION, isReconciled: 'yes' }] }, 'isReconciled'],
  ])('with %j is refused with the name of what is wrong', (changes, named) => {
    expect(parseRenewal({ ...RENEWAL, ...changes })).toEqual({
      ok: false,
      error: expect.stringContaining(named),
    })
  })

  test('may be any JSON: it is read or refused, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(typeof parseRenewal(value).ok).toBe('boolean')
        expect(typeof parseRenewal({ ...RENEWAL, positions: [value] }).ok).toBe('boolean')
      }),
    )
  })
})
