import { MINUTE_MS } from '../../../../../src/base/time.ts'
import type { Event } from '../../../../../src/core/engine/model/event.ts'
import { coreHarness } from '../../../../support/core-harness.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'
import { makeFill } from './make-fill.ts'

/**
 * The journal of some minutes with everything in it: prints, fills that are reported late and twice, requotes,
 * a halt and its end, two restarts. Times are whole, as a clock's are.
 */
export function longJournal(): readonly Event[] {
  // Each print is another spread, so that there is something to decide.
  const strategy = testStrategy(({ mid }) => {
    const bps = 40 + (Math.floor(mid) % 30)
    return { bidBps: bps, askBps: bps, reasons: [`mid ${mid}`] }
  })
  const harness = coreHarness({ strategy })
  harness.run(MINUTE_MS)
  for (let round = 1; round <= 6; round++) {
    harness.venue.mid += BigInt(round) * 7n * 10n ** 18n
    const createdAt = Math.floor(harness.now) - (round % 3) * 20_000
    const fill = makeFill(`f${round}`, { createdAt: round === 4 ? null : createdAt })
    harness.venue.fills.push(fill)
    harness.venue.amounts.USDC += fill.amountIn
    harness.venue.amounts.NTZS -= fill.amountOut
    harness.run(20_000)
    if (round % 2 === 0) harness.restart()
    if (round === 3) harness.order({ name: 'pause' })
    if (round === 5) harness.order({ name: 'resume' })
    harness.run(20_000)
  }
  return harness.journal.map((event) => ({ ...event, t: Math.floor(event.t) }))
}
