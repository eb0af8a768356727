import { encodeJson } from '../../src/base/codec.ts'
import type { TreasuryRecord } from '../../src/store/treasury/journal.ts'
import type { TreasuryEvent } from '../../src/treasury/model/event.ts'
import { holdingsOf, MID, START, treasuryConfig } from './treasury-harness.ts'

/** Events `from` to `to` of a treasury that has nothing to do, as most of its journal is; every tenth one is a webhook. */
export function longTreasury(from: number, to: number): readonly TreasuryRecord[] {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const seq = from + index
    const event = eventOf(seq)
    return { seq, t: event.t, type: event.type, body: encodeJson(event) }
  })
}

function eventOf(seq: number): TreasuryEvent {
  const t = START + seq * 30_000
  if (seq === 1) return { type: 'configured', t, config: treasuryConfig(), policyHash: 'a', author: null }
  if (seq % 10 === 0) {
    const hash = String(seq)
    return {
      type: 'webhookSeen',
      t,
      event: 'transfer',
      resourceId: null,
      reference: null,
      status: 'done',
      hash,
      body: '{}',
    }
  }
  if (seq % 3 === 0) return { type: 'tick', t }
  if (seq % 3 === 1)
    return { type: 'flowSeen', t, flow: { NTZS: BigInt(seq), USDC: -1n, USDT: 0n }, upTo: seq }
  const quote = { bidBps: 60, askBps: 60, isActive: true, isHalted: false, isKnown: true }
  return { type: 'holdingsSeen', t, holdings: holdingsOf(), mid: MID, quote }
}
