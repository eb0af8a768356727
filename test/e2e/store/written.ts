import type { Event } from '../../../src/core/engine/model/event.ts'
import type { Observation } from '../../../src/core/engine/model/observation.ts'

/** What event `seq` is: every process of the test agrees on it. */
export function eventOf(seq: number): Event {
  if (seq % 5 === 0) return { type: 'tick', t: seq }
  const mid = 2_600_000_000_000_000_000_000n + BigInt(seq)
  const rest = { problem: null, rateUpdatedAt: seq, quotable: true, venueTime: seq }
  return { type: 'rate', t: seq, request: seq, mid, ...rest }
}

/** Every third event is a fill. */
export function isFill(seq: number): boolean {
  return seq % 3 === 0
}

export function observationsOf(seq: number): readonly Observation[] {
  const observations: Observation[] = [
    { type: 'midChanged', t: seq, mid: BigInt(seq), rateUpdatedAt: null, source: 'key' },
  ]
  if (!isFill(seq)) return observations
  observations.push({
    type: 'fillPosted',
    t: seq,
    fill: {
      id: `f-${seq}`,
      side: 'ask',
      inAsset: 'USDC',
      amountIn: BigInt(seq),
      outAsset: 'NTZS',
      amountOut: BigInt(seq) * 10n ** 20n,
      fee: null,
      earnedText: null,
      txHash: null,
      createdAt: null,
      raw: '{}',
    },
    fee: 0n,
    feeSource: 'computed',
    midAtFill: null,
    formula: 'ask',
    volumeUsd: BigInt(seq),
  })
  return observations
}
