import { describe, expect, test } from 'vitest'
import { calibrateTape } from '../../../../src/research/calibration/calibrate.ts'
import {
  pickedShareOf,
  quotedShareOf,
  type StandingSide,
} from '../../../../src/research/calibration/share.ts'
import { openTape } from '../../../../src/store/tape/folder/open-tape.ts'
import { watchProbes } from '../../../../src/store/tape/summary/probes.ts'

const WEEK = new URL('../../../../examples/week', import.meta.url).pathname

/** What probes of the ask show while we quote `own`, one after the other. */
function meaningOf(shown: readonly (readonly [own: number, best: number])[]): string {
  const probes = watchProbes(5)
  for (const [own, best] of shown) {
    probes.quoted({ bid: own, ask: own })
    probes.shown('ask', best, -1)
  }
  return probes.meaning()
}

describe('what a probe means', () => {
  test('ourselves shown beside another one at the same quote: it is anyone who is picked', () => {
    expect(
      meaningOf([
        [60, 58],
        [60, 60],
        [60, 58],
        [60, 60],
      ]),
    ).toBe('picked')
  })

  test('another one shown where we are far better: it is the best of the others', () => {
    expect(
      meaningOf([
        [60, 58],
        [40, 58],
        [58, 58],
        [30, 58],
      ]),
    ).toBe('best other')
  })

  test('ourselves named by the tape: it is anyone who is picked, also at one number; a rival named there is no sign', () => {
    const named = (own: number) => {
      const probes = watchProbes(5)
      probes.quoted({ bid: 60, ask: 60 })
      probes.shown('ask', 60, own)
      return probes.meaning()
    }
    expect([named(1), named(0), named(-1)]).toEqual(['picked', 'best other', 'best other'])
  })

  test('where anyone who is next is shown, a rival at our own number has its turn, and half of the takers while unnamed', () => {
    const side = { ownBps: 60, otherBps: 60, hidden: false, isRoundOver: false, canPay: true } as const
    expect(pickedShareOf({ ...side, otherIs: 'known' }, true, 5)).toEqual({
      weight: 0,
      because: 'round-robin-lost',
    })
    expect(pickedShareOf({ ...side, otherIs: 'either' }, true, 5)).toMatchObject({ weight: 0.5 })
    expect(pickedShareOf({ ...side, otherIs: 'seen' }, true, 5)).toMatchObject({ weight: 1, hidden: true })
  })

  test('without a sign either way the others are taken to be shown', () => {
    expect(meaningOf([[60, 60]])).toBe('best other')
    expect(meaningOf([])).toBe('best other')
  })

  test('within the tolerance a best other takes half of the takers, one that is picked all of them', () => {
    const side: StandingSide = {
      ownBps: 60,
      otherBps: 57,
      otherIs: 'seen',
      hidden: false,
      isRoundOver: false,
      canPay: true,
    }
    expect(quotedShareOf(side, true, 5)).toMatchObject({ weight: 0.5 })
    expect(pickedShareOf(side, true, 5)).toEqual({ weight: 0, because: 'round-robin-lost' })
    const ours: StandingSide = { ...side, otherBps: null, hidden: true }
    expect(pickedShareOf(ours, true, 5)).toMatchObject({ weight: 1, bps: 60 })
  })

  test('a week of the simulated market, with rivals who share a round-robin with us, gives back the law of its takers', async () => {
    const tape = openTape(WEEK)
    if (!tape.ok) throw new Error(tape.error)
    const { both, fills } = await calibrateTape(tape.value, { toleranceBps: 5, seed: 1 })
    // The scenario `normal`: 1/k = 60 bps, about 1,200 takers a day and side.
    expect(fills).toBeGreaterThan(3_000)
    expect(both.k.low).toBeLessThan(1 / 60)
    expect(both.k.high).toBeGreaterThan(1 / 60)
    expect(both.a.low).toBeLessThan(1_200)
    expect(both.a.high).toBeGreaterThan(1_200)
  })
})
