import { describe, expect, test } from 'vitest'
import {
  activeRead,
  beginHold,
  type Hold,
  nextStep,
  takeSideRead,
  type Step,
  writeEnded,
  type WriteOutcome,
  writeStarted,
} from '../../../../../src/daemon/guard/position/ladder.ts'

const SETTINGS = { safeBps: 500, closeSideAfterMs: 60_000, deactivateAfterMs: 900_000 }
const DONE = { kind: 'done', words: '' } as const
const FAILED = { kind: 'failed', words: 'no answer' } as const

/** Plays the ladder against a venue that answers at once, until `untilMs`; what was done when. */
function climb(hold: Hold, untilMs: number, outcome: (step: Step, at: number) => WriteOutcome) {
  const done: [number, string][] = []
  let now = hold.since
  while (now < untilMs) {
    const step = nextStep(hold, now, SETTINGS)
    if (step.do === 'wait') {
      now = Math.min(step.until, untilMs)
      continue
    }
    done.push([now - hold.since, step.do === 'write' ? step.what : step.do === 'read' ? step.side : step.do])
    if (step.do === 'read') takeSideRead(hold, step.side, 500, now, SETTINGS)
    else if (step.do === 'look-active') activeRead(hold, false, now)
    else {
      writeStarted(hold, now)
      writeEnded(hold, outcome(step, now), now)
    }
  }
  return done
}

const of = (done: readonly [number, string][], ...names: string[]) =>
  done.filter(([, name]) => names.includes(name)).map(([at]) => at)

describe('The ladder', () => {
  test('is the safe quote at once, the worse side off after 60 s, and out of the market after 15 min', () => {
    const done = climb(beginHold(0, 'ask'), 1_000_000, () => DONE)
    expect(of(done, 'safe')).toEqual([0])
    expect(of(done, 'ask-off')[0]).toBe(60_000)
    expect(of(done, 'deactivate')).toEqual([900_000, 906_000])
  })

  test('sets a side off again once a minute, because no reading shows whether it still is', () => {
    const done = climb(beginHold(0, 'ask'), 310_000, () => DONE)
    expect(of(done, 'ask-off')).toEqual([60_000, 120_000, 180_000, 240_000, 300_000])
    expect(of(done, 'safe')).toEqual([0])
  })

  test('reads both sides back at once, after 2, 10 and 30 s, and then every minute', () => {
    const done = climb(beginHold(0, null), 200_000, () => DONE)
    const expected = [0, 2_000, 10_000, 30_000, 60_000, 120_000, 180_000]
    expect(of(done, 'bid')).toEqual(expected)
    expect(of(done, 'ask')).toEqual(expected)
  })

  test('writes three times at once where the venue does not answer, and then every 6 s', () => {
    const done = climb(beginHold(0, null), 20_000, () => FAILED)
    expect(of(done, 'safe')).toEqual([0, 0, 0, 6_000, 12_000, 18_000])
  })

  test('repeats a deactivation that was partial or refused for the moment, with growing pauses', () => {
    const done = climb(beginHold(0, null), 1_200_000, ({ do: what }) =>
      what === 'deactivate' ? FAILED : DONE,
    )
    expect(of(done, 'deactivate')).toEqual([0, 6, 18, 42, 90, 150, 210, 270].map((s) => 900_000 + 1_000 * s))
  })

  test('takes a deactivation for done when a second answer shows that nothing more was returned', () => {
    const answers = [
      FAILED,
      { ...DONE, hasReturned: true },
      { ...DONE, hasReturned: true },
      DONE,
      DONE,
    ] as const
    let n = 0
    const hold = beginHold(0, null)
    climb(hold, 1_200_000, ({ do: what }) => (what === 'deactivate' ? (answers[n++] ?? FAILED) : DONE))
    expect([n, hold.isOut]).toEqual([4, true])
  })

  test('asks no more for tokens that the venue keeps three times for the same reasons', () => {
    let n = 0
    const kept = (reasons: string) => ({ ...FAILED, reasons })
    const hold = beginHold(0, null)
    const reasonOf = () => (n++ === 0 ? kept('USDC: short') : kept('USDT: decoding error'))
    climb(hold, 5_000_000, ({ do: what }) => (what === 'deactivate' ? reasonOf() : DONE))
    expect([n, hold.isOut]).toEqual([4, false])
  })

  test('does not count a write that the limit of the venue refused: the next one leaves at once when it may', () => {
    const hold = beginHold(0, null)
    for (const at of [0, 100, 200, 300]) {
      writeStarted(hold, at)
      writeEnded(hold, { kind: 'limited', words: '429' }, at)
      expect(nextStep(hold, at, SETTINGS)).toEqual({ do: 'write', what: 'safe' })
    }
    writeStarted(hold, 400)
    writeEnded(hold, FAILED, 400)
    expect(nextStep(hold, 400, SETTINGS)).toEqual({ do: 'write', what: 'safe' })
  })

  test('leaves out what the settings or the last lease do not want', () => {
    const unnamed = climb(beginHold(0, null), 800_000, () => DONE)
    expect(of(unnamed, 'bid-off', 'ask-off')).toEqual([])
    const hold = beginHold(0, 'bid')
    expect(
      nextStep(hold, 5_000_000, { ...SETTINGS, closeSideAfterMs: null, deactivateAfterMs: null }),
    ).toEqual({ do: 'write', what: 'safe' })
  })

  test('sends nothing more with a key that the venue refuses', () => {
    const hold = beginHold(0, 'ask')
    writeStarted(hold, 0)
    writeEnded(hold, { kind: 'refused-key', words: '401' }, 0)
    expect(nextStep(hold, 10_000_000, SETTINGS)).toEqual({ do: 'wait', until: Number.POSITIVE_INFINITY })
  })
})

describe('A read-back', () => {
  const confirmed = () => {
    const hold = beginHold(0, null)
    writeStarted(hold, 0)
    writeEnded(hold, DONE, 100)
    return hold
  }

  test('is safe when both sides show the safe quote, and not before', () => {
    const hold = confirmed()
    expect(takeSideRead(hold, 'bid', 500, 200, SETTINGS)).toBe('safe')
    expect(hold.safeSince).toBeNull()
    takeSideRead(hold, 'ask', 500, 300, SETTINGS)
    expect(hold.safeSince).toBe(300)
  })

  test('of a side that was closed shows the widest spread, whatever the safe quote is', () => {
    const narrow = { ...SETTINGS, safeBps: 200 }
    const hold = beginHold(0, 'bid')
    nextStep(hold, 60_000, narrow)
    writeStarted(hold, 60_000)
    writeEnded(hold, DONE, 60_000)
    expect([
      takeSideRead(hold, 'bid', 500, 60_100, narrow),
      takeSideRead(hold, 'ask', 200, 60_200, narrow),
      takeSideRead(hold, 'bid', 200, 62_100, narrow),
    ]).toEqual(['safe', 'safe', 'differs'])
  })

  test('that shows another spread is repaired by a write, and read from the beginning', () => {
    const hold = confirmed()
    takeSideRead(hold, 'bid', 500, 200, SETTINGS)
    expect(takeSideRead(hold, 'ask', 60, 300, SETTINGS)).toBe('differs')
    expect(nextStep(hold, 300, SETTINGS)).toEqual({ do: 'write', what: 'safe' })
    expect(hold.safeSince).toBeNull()
  })

  test('that fails is tried again after 2 s', () => {
    const hold = confirmed()
    expect(takeSideRead(hold, 'bid', null, 1_000, SETTINGS)).toBe('unread')
    expect(nextStep(hold, 1_000, SETTINGS)).toEqual({ do: 'wait', until: 3_000 })
    expect(nextStep(hold, 3_000, SETTINGS)).toEqual({ do: 'read', side: 'ask' })
  })

  test('of one side that cannot be read keeps no one from seeing the other one', () => {
    const hold = confirmed()
    takeSideRead(hold, 'bid', null, 1_000, SETTINGS)
    const step = nextStep(hold, 3_000, SETTINGS)
    if (step.do !== 'read') throw new Error(`no reading but ${step.do}`)
    expect(takeSideRead(hold, step.side, step.side === 'ask' ? 70 : null, 3_100, SETTINGS)).toBe('differs')
    expect(nextStep(hold, 3_100, SETTINGS)).toEqual({ do: 'write', what: 'safe' })
  })

  test('of an account that is active again after the deactivation takes it out again', () => {
    const hold = beginHold(0, null)
    nextStep(hold, 900_000, SETTINGS)
    writeStarted(hold, 900_000)
    writeEnded(hold, DONE, 900_100)
    expect([hold.isOut, nextStep(hold, 906_000, SETTINGS)]).toEqual([false, { do: 'deactivate' }])
    writeStarted(hold, 906_000)
    writeEnded(hold, DONE, 900_100)
    expect(nextStep(hold, 900_100, SETTINGS)).toEqual({ do: 'look-active' })
    activeRead(hold, true, 900_200)
    expect(nextStep(hold, 900_200, SETTINGS)).toEqual({ do: 'deactivate' })
  })
})
