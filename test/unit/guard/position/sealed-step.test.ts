import { describe, expect, test } from 'vitest'
import {
  type ChainSight,
  NEXT_LEVEL_MS,
  nextSealedStep,
  type SentOutcome,
} from '../../../../src/guard/position/sealed-step.ts'
import { sealOf } from '../sealed-cancels.ts'

const SEAL = sealOf([7, 8])
const NOW = 1_000_000

const sight = (least: number, most = least, ended: ChainSight['ended'] = new Map()): ChainSight => ({
  nonce: { least, most },
  ended,
})
const sent = (outcomes: Readonly<Record<string, [SentOutcome['kind'], number]>>) =>
  new Map(Object.entries(outcomes).map(([hash, [kind, agoMs]]) => [hash, { kind, at: NOW - agoMs }]))

/** The next step in a word: what is sent by nonce and level. */
function step(shown: ChainSight, tried: ReturnType<typeof sent> = new Map()): string {
  const next = nextSealedStep(SEAL, shown, tried, NOW)
  if (next.do === 'rest') return `rest ${next.done.hash}`
  return next.do === 'send' ? `send ${next.transaction.nonce}/${next.transaction.level}` : next.do
}

describe('Of the sealed cancels the guard', () => {
  test('sends the lowest fees of the nonce that is free', () => {
    expect(step(sight(7))).toBe('send 7/1')
    expect(step(sight(8))).toBe('send 8/1')
  })

  test('sends the next level where one is in no block after ten seconds, and the highest one again and again', () => {
    expect(step(sight(7), sent({ '0x71': ['taken', NEXT_LEVEL_MS - 1] }))).toBe('wait')
    expect(step(sight(7), sent({ '0x71': ['taken', NEXT_LEVEL_MS] }))).toBe('send 7/2')
    expect(step(sight(7), sent({ '0x71': ['taken', 99_000], '0x73': ['taken', NEXT_LEVEL_MS] }))).toBe(
      'send 7/3',
    )
  })

  test('sends the next level at once where another transaction with the nonce pays more', () => {
    expect(step(sight(7), sent({ '0x71': ['underpriced', 0] }))).toBe('send 7/2')
    expect(step(sight(7), sent({ '0x73': ['underpriced', 0] }))).toBe('wait')
  })

  test('tries what failed again after two seconds, at the same fees', () => {
    expect(step(sight(7), sent({ '0x71': ['failed', 1_999] }))).toBe('wait')
    expect(step(sight(7), sent({ '0x71': ['failed', 2_000] }))).toBe('send 7/1')
  })

  test('goes on with the next nonce where one is used by another transaction, as the count or the refusal shows', () => {
    expect(step(sight(7, 8), sent({ '0x71': ['void', 0] }))).toBe('send 8/1')
    expect(step(sight(8), sent({ '0x71': ['taken', 0] }))).toBe('send 8/1')
    expect(step(sight(8, 8, new Map([['0x72', 'reverted']])))).toBe('send 8/1')
  })

  test('tries the first nonce that an endpoint calls free, for the one that shows a higher one may be wrong', () => {
    expect(step(sight(7, 90))).toBe('send 7/1')
  })

  test('waits for a nonce that no endpoint shows to be free yet', () => {
    expect(step(sight(6))).toBe('wait')
  })

  test('rests once one of them is in a block, and gives up where all of them are void', () => {
    expect(step(sight(8, 8, new Map([['0x72', 'done']])))).toBe('rest 0x72')
    expect(step(sight(9))).toBe('give-up')
  })
})
