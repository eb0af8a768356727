import type { Approval, ApprovalSettings, Clamp, Target } from './approval.ts'
import { MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../money/bps.ts'
import type { Side } from '../money/side.ts'
import type { StrategyQuote } from '../strategy/define-strategy.ts'
import { approveOrders } from './approve-orders.ts'
import { approved, type Approved } from './approved.ts'
import type { RuleBreach } from './rule-breach.ts'
import type { Latch } from './latch.ts'

/**
 * Stamps what may stand, from what the strategy wants, what the rules found and what is latched. The
 * only place an `Approved<Stance>` comes from.
 */
export function approve(
  wanted: StrategyQuote | null,
  findings: readonly RuleBreach[],
  latch: Latch,
  deviation: number,
  settings: ApprovalSettings,
): Approval {
  if (settings.orders !== null) return approveOrders(wanted, findings, latch, deviation, settings.orders)
  const closed = closedSides(findings, deviation)
  const { safeBps } = settings
  if (latch.halted !== null) {
    const because = [`halted: ${latch.halted.why}`]
    const stance =
      settings.onHalt === 'deactivate' && settings.mayDeactivate
        ? nothing(settings, because)
        : withSides(safeBps, safeBps, closed, true, because, settings)
    return { stance, state: 'HALTED', clamps: [], refusal: null }
  }
  const safe = findings.find((finding) => finding.effect === 'safe')
  if (safe !== undefined || wanted === null) {
    const because = safe === undefined ? ['no decision yet'] : [safe.message]
    return {
      stance: withSides(safeBps, safeBps, closed, true, because, settings),
      state: 'REDUCING',
      clamps: [],
      refusal: null,
    }
  }
  const crossed = crossing(wanted)
  if (crossed !== null) {
    const stance = withSides(safeBps, safeBps, closed, true, [crossed.message], settings)
    return { stance, state: 'REDUCING', clamps: [], refusal: crossed }
  }
  const clamps: Clamp[] = []
  const bid = clampSide('bid', wanted.bidBps, clamps)
  const ask = clampSide('ask', wanted.askBps, clamps)
  const because = [...findings.map((finding) => finding.message), ...wanted.because]
  return {
    stance: withSides(bid, ask, closed, closed.length > 0, because, settings),
    state: closed.length > 0 ? 'REDUCING' : 'ACTIVE',
    clamps,
    refusal: null,
  }
}

function withSides(
  bid: number | null,
  ask: number | null,
  closed: readonly Side[],
  safety: boolean,
  because: readonly string[],
  settings: ApprovalSettings,
): Approved<Target> {
  const bidBps = closed.includes('bid') ? null : bid
  const askBps = closed.includes('ask') ? null : ask
  if (bidBps !== null || askBps !== null) {
    return approved({ kind: 'quote', bidBps, askBps, idleBps: settings.safeBps, safety, because, orders: [] })
  }
  const why = ['both sides are off', ...because]
  return settings.whenBothOff === 'deactivate' && settings.mayDeactivate
    ? nothing(settings, why)
    : safeQuote(settings, why)
}

function safeQuote(settings: ApprovalSettings, because: readonly string[]): Approved<Target> {
  const { safeBps } = settings
  return approved({
    kind: 'quote',
    bidBps: safeBps,
    askBps: safeBps,
    idleBps: safeBps,
    safety: true,
    because,
    orders: [],
  })
}

function nothing(settings: ApprovalSettings, because: readonly string[]): Approved<Target> {
  const { safeBps } = settings
  return approved({
    kind: 'deactivate',
    bidBps: safeBps,
    askBps: safeBps,
    idleBps: safeBps,
    safety: true,
    because,
    orders: [],
  })
}

/** Prices cross when buying costs more than selling brings: S(1 + bid) under S(1 - ask). */
function crossing(wanted: StrategyQuote): RuleBreach | null {
  if (wanted.bidBps === null || wanted.askBps === null || wanted.bidBps + wanted.askBps >= 0) return null
  return {
    rule: 'crossed',
    effect: 'safe',
    limit: 'bidBps + askBps >= 0',
    actual: `${wanted.bidBps} + ${wanted.askBps}`,
    message: 'the strategy wants a crossed quote',
  }
}

function clampSide(side: Side, wanted: number | null, clamps: Clamp[]): number | null {
  if (wanted === null) return null
  const sent = Math.min(MAX_SPREAD_BPS, Math.max(MIN_SPREAD_BPS, Math.round(wanted)))
  if (wanted < MIN_SPREAD_BPS || wanted > MAX_SPREAD_BPS) clamps.push({ side, wanted, sent })
  return sent
}

/** Sides that findings close. `reduce` closes the side that would take the inventory further out. */
export function closedSides(findings: readonly RuleBreach[], deviation: number): Side[] {
  const closed = new Set<Side>()
  for (const { effect } of findings) {
    if (effect === 'bid-off') closed.add('bid')
    if (effect === 'ask-off') closed.add('ask')
    // Too many dollars: the ask would buy more of them. Too few: the bid would sell more.
    if (effect === 'reduce') closed.add(deviation >= 0 ? 'ask' : 'bid')
  }
  return [...closed]
}
