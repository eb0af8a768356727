import { expect, test } from 'vitest'
import { pickWithinTolerance, routedShare, shareAmong } from '../../../../src/core/market/routing.ts'

type Provider = { readonly name: string; readonly bps: number | null; readonly lastFilled: number }

const provider = (name: string, bps: number | null, lastFilled = 0): Provider => ({ name, bps, lastFilled })

function picked(...providers: readonly Provider[]): string | null {
  const provider = pickWithinTolerance(
    providers,
    5,
    ({ bps }) => bps,
    ({ lastFilled }) => lastFilled,
  )
  return provider?.name ?? null
}

test('all takers are ours while no one else quotes or the best other spread is beyond the tolerance', () => {
  expect([routedShare(60, null, 5), routedShare(60, 66, 5)]).toEqual([1, 1])
})

test('within the tolerance, on either side of it, every second taker is ours', () => {
  expect([55, 60, 65].map((otherBps) => routedShare(60, otherBps, 5))).toEqual([0.5, 0.5, 0.5])
  expect(routedShare(60, 60, 0)).toBe(0.5)
})

test('no taker is ours while another spread is better by more than the tolerance', () => {
  expect([routedShare(60, 54, 5), routedShare(61, 60, 0)]).toEqual([0, 0])
})

test('the router picks no one where no one can take the swap', () => {
  expect([picked(), picked(provider('off', null))]).toEqual([null, null])
})

test('a provider that cannot take the swap does not set the tolerance', () => {
  expect(picked(provider('off', null), provider('wide', 90), provider('wider', 96, -1))).toBe('wide')
})

test('within the tolerance the least recently filled provider is picked, and between equals the lower spread', () => {
  expect(picked(provider('best', 60, 2), provider('rested', 65, 1), provider('late', 66, 0))).toBe('rested')
  expect(picked(provider('wider', 62), provider('tighter', 60), provider('same', 60))).toBe('tighter')
})

test('among several others the takers are shared with those within the tolerance of the lowest', () => {
  expect([54, 55, 58, 65, 66].map((bps) => shareAmong(bps, [60, 63, 90], 5))).toEqual([
    1,
    1 / 2,
    1 / 3,
    1 / 3,
    0,
  ])
})

test('beside one other, or none, the share among several is the share against the best', () => {
  for (const bps of [10, 54, 55, 60, 65, 66, 500])
    for (const other of [null, 60])
      expect(shareAmong(bps, other === null ? [] : [other], 5)).toBe(routedShare(bps, other, 5))
})
