import { describe, expect, test } from 'vitest'
import { segmentOf, takerMix } from '../../../../../src/core/models/flow/taker-segments.ts'
import type { TakerTags } from '../../../../../src/base/money/side.ts'

const tags = (more: Partial<TakerTags>): TakerTags => ({ wallet: null, source: null, partner: null, ...more })

describe('the mix of takers', () => {
  const fills = [
    { usd: 100, taker: tags({ source: 'app' }) },
    { usd: 50, taker: tags({ source: 'waas', partner: 'p1' }) },
    { usd: 250, taker: tags({ source: 'waas', partner: 'p2' }) },
    { usd: 100 },
  ]

  test('has the dollars of each source, the most first, and what names none as unknown', () => {
    expect(takerMix(fills, 'source')).toEqual([
      { name: 'waas', fills: 2, usd: 300, share: 0.6 },
      { name: 'app', fills: 1, usd: 100, share: 0.2 },
      { name: null, fills: 1, usd: 100, share: 0.2 },
    ])
    expect(takerMix(fills, 'partner').map(({ name }) => name)).toEqual(['p2', null, 'p1'])
  })

  test('of no fills is empty', () => {
    expect(takerMix([], 'wallet')).toEqual([])
  })
})

test('a wallet is shortened, also one that is short already', () => {
  const name = segmentOf(tags({ wallet: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' }), 'wallet')
  expect(name).toBe('0x7099...79c8')
  expect(segmentOf(tags({ wallet: name }), 'wallet')).toBe(name)
})
