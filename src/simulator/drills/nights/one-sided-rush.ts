import { shorterRun } from '../model/advice.ts'
import type { Drill } from '../drill.ts'
import { whyNotAtAll } from './safety.ts'

/** The rush knows what the venue publishes tomorrow. */
const MOVE_BPS = 250

/** A ladder that was filled is signed anew within this, where it is signed at all. */
const SIGNED_MS = 10_000

/** Takers who know of a fall buy dollars from us, one after another, at a mid that does not move. */
export function oneSidedRush(): Drill {
  /** When an order could last be filled at a loss. */
  let paidAtMs = 0
  return {
    name: 'one-sided-rush',
    what: `the market moves by ${MOVE_BPS} bps, the mid does not, and every taker comes for the same side`,
    safeMeans: `that side is off or at the safe spread, or the position is out of the market; with signed orders: for ${SIGNED_MS / 1_000} s none of them can be filled at a loss`,
    whyNot: whyNotAtAll,
    faultMs: ({ config }) => (config.rfq === null ? 0 : SIGNED_MS),
    mustBeNoticed: false,
    async strike({ stage }) {
      stage.market.moveTruth(MOVE_BPS)
    },
    async goOn({ stage, takerUsd }) {
      // Each taker looks for itself: those who come when it no longer pays go away.
      await stage.market.exploit(takerUsd)
      await stage.market.exploit(takerUsd)
    },
    async isSafe({ stage, sinceMs }) {
      const { chain } = stage.market
      if (chain !== null) {
        if ((await chain.paying()).length > 0) paidAtMs = sinceMs
        return sinceMs - paidAtMs > SIGNED_MS
      }
      const { safeBps } = stage.position.config.quote
      const { isActive, bidBps } = await stage.market.quote()
      return !isActive || bidBps === null || bidBps >= Math.min(safeBps, MOVE_BPS)
    },
    advise: shorterRun,
  }
}
