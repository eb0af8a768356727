import type { Ms } from '../../../base/time.ts'
import type { Rate } from '../../../base/money/rate.ts'
import { DEFAULT_SLIPPAGE_BPS, executeSwap } from '../market/execute-swap.ts'
import { restockOurs, returnFill } from './restock.ts'
import { shownQuote, takeStocks } from './take-stocks.ts'
import { pricedPairOf } from '../market/price.ts'
import { setCompetitorQuote } from '../market/provider.ts'
import { count, publishMid, strikes, type VenueState } from '../state.ts'
import type { WorldStep } from './world.ts'

/** Runs everything due by `until`, in time order. Time never goes back. */
export function runWorld(venue: VenueState, until: Ms): void {
  for (;;) {
    const taskAt = venue.timeline.peekAt()
    const worldAt = venue.world.peekAt()
    const at = Math.min(taskAt, worldAt)
    if (at > until) break
    if (at > venue.now) venue.now = at
    if (taskAt <= worldAt) venue.timeline.runNext()
    else
      applyStep(
        venue,
        venue.world.next(venue.mid, () => shownQuote(venue)),
      )
  }
  if (until > venue.now) venue.now = until
}

/** Publishes the central bank's figure, unless a fault suppresses or changes it. */
function printMid(venue: VenueState, mid: Rate): void {
  if (venue.faults.frozenMid) {
    count(venue, 'fault print frozen')
    return
  }
  const { chance, bps } = venue.faults.jumpedMid
  const jumped = strikes(venue, 'print off', chance)
    ? (mid * BigInt(10_000 + Math.round(bps))) / 10_000n
    : mid
  publishMid(venue, jumped)
  count(venue, 'prints')
}

function applyStep(venue: VenueState, step: WorldStep): void {
  switch (step.type) {
    case 'print':
      printMid(venue, step.mid)
      return
    case 'swap':
    case 'takeStocks':
      if (isQuiet(venue)) count(venue, 'takers: before their time')
      else if (step.type === 'swap') simulateSwap(venue, step)
      else takeStocks(venue, step)
      return
    case 'competitorQuote': {
      const provider = venue.providers.find(({ name, ours }) => name === step.name && !ours)
      if (provider !== undefined) setCompetitorQuote(provider, step.bidBps, step.askBps)
      return
    }
    case 'restock':
      restockOurs(venue, step)
      return
    case 'outage':
      venue.outageUntil = Math.max(venue.outageUntil, step.untilMs)
      return
    case 'notQuotable':
      venue.notQuotableUntil = step.untilMs
  }
}

function isQuiet({ options, activatedAt, now }: VenueState): boolean {
  return options.quietMs > 0 && (activatedAt === null || now < activatedAt + options.quietMs)
}

function simulateSwap(venue: VenueState, step: WorldStep & { readonly type: 'swap' }): void {
  const pair = pricedPairOf(step.from, step.to)
  if (pair === null || step.amountIn <= 0n) {
    count(venue, 'takers: impossible')
    return
  }
  const done = executeSwap(venue, {
    taker: step.taker,
    pair,
    amountIn: step.amountIn,
    slippageBps: DEFAULT_SLIPPAGE_BPS,
    maxSpreadBps: step.maxSpreadBps,
    minOutput: null,
  })
  if (!done.ok) {
    count(venue, `takers: ${done.error}`)
    return
  }
  const { fill, provider } = done.value
  count(venue, provider.ours ? 'takers: filled by us' : 'takers: filled by a competitor')
  if (provider.refills) returnFill(venue, provider, fill)
}
