import { invariant } from '../../../base/result.ts'
import { HOUR_MS, type Ms } from '../../../base/time.ts'
import { createEngine, type Engine } from '../../../core/engine/engine.ts'
import type { CoreConfig } from '../../../core/engine/model/config.ts'
import type { Spread } from '../../../core/engine/model/effect.ts'
import type { Event } from '../../../core/engine/model/event.ts'
import type { Fill } from '../../../core/ledger/fills/fill.ts'
import { position } from '../../../core/ledger/book/book.ts'
import { type BookAmount, TOKEN_UNIT, toTokens, zeroAmounts } from '../../../base/money/asset.ts'
import type { Rate } from '../../../base/money/rate.ts'
import { SIDES, type Side } from '../../../base/money/side.ts'
import { STOCK_USD } from '../../scenarios/play/account.ts'
import type {
  Participant,
  Quotes,
  WorldFill,
  WorldNews,
  WorldView,
} from '../../scenarios/play/participant.ts'
import type { LoadedStrategy } from '../../../core/strategy/define-strategy.ts'
import type { Entrant } from '../entrant.ts'
import { FirstWeek, type StandingQuote } from './first-week.ts'
import {
  FEED_NAME,
  type Learning,
  OPENING_RATE,
  type MarketStatement,
  STATED_DEFAULTS,
  tournamentCore,
} from './core-config.ts'

/** A Monday, 00:00 UTC: when every world begins. */
const BEGIN: Ms = Date.UTC(2024, 0, 1)
/**
 * In 50 worlds of 90 days, a quote that widens until it sees the rival behind it took at most nine PATCHes; more than
 * this at one moment is a loop.
 */
const MOST_PATCHES = 32
const PROBE = 100n
const NTZS_ONE = 1e18

/** The daemon's own core as a participant of a world: it receives the data of a poll, and its PATCHes take effect at once. */
export class CoreParticipant {
  readonly #engine: Engine
  readonly #strategy: LoadedStrategy
  readonly #feedTauBps: number | null
  readonly #ditherBps: number
  readonly #stated: MarketStatement
  /** The week in which it learns; null = it does not learn, or is done. */
  #week: FirstWeek | null
  #seq = 0
  #fills = 0
  #restockings = 0
  #standing: Spread = { bidBps: 500, askBps: 500, quoteBid: true, quoteAsk: true, quotePairs: null }
  #wanted: { readonly id: number; readonly spread: Spread } | null = null
  #midBps: number | null = null
  readonly #best: Record<Side, number | null | undefined> = { bid: undefined, ask: undefined }

  constructor(
    strategy: LoadedStrategy,
    feedTauBps: number | null,
    inWindow: (cron: string, zone: string, t: Ms) => boolean,
    calibration: Entrant['calibration'] = null,
    stated: MarketStatement = STATED_DEFAULTS,
  ) {
    this.#stated = stated
    this.#strategy = strategy
    this.#feedTauBps = feedTauBps
    this.#ditherBps = calibration?.ditherBps ?? 0
    this.#week = calibration === null ? null : new FirstWeek(BEGIN, stated.toleranceBps)
    this.#engine = createEngine({
      strategyFor: () => strategy,
      calendar: inWindow,
      polling: 'simulated',
      observes: false,
    })
  }

  /** Decides at the moment of the view. Throws if the strategy was suspended or the core halted, because there is no result then. */
  readonly decide: Participant = (view) => {
    const t = BEGIN + Math.round(view.hour * HOUR_MS)
    if (this.#seq === 0) this.#open(t, view)
    else if (this.#week?.isOver(t) === true) this.#learn(t, this.#week)
    for (const group of grouped(view.news)) this.#tell(t, group)
    if (view.midBps !== this.#midBps) this.#hear(this.#rate(t, view))
    for (const side of SIDES) this.#showBest(t, side, view)
    if (view.feedBps !== null)
      this.#hear({ type: 'reference', t, source: FEED_NAME, mid: rateAt(view.feedBps) })
    this.#give({ type: 'tick', t })
    for (let patches = 0; this.#wanted !== null; patches++) {
      invariant(patches < MOST_PATCHES, 'a core changes its quote repeatedly at one moment')
      const { id, spread } = this.#wanted
      this.#wanted = null
      this.#standing = spread
      this.#hear({ type: 'quoteSet', t, request: id, spread })
      // Live, a probe follows each PATCH within seconds: a side that is off shows the other providers.
      for (const side of SIDES) this.#showBest(t, side, view)
      this.#conclude()
    }
    this.#check()
    this.#week?.stands(this.#now(t, view))
    return quotesOf(this.#standing)
  }

  /** Gives the strategy the calibration of the completed first week. */
  #learn(t: Ms, week: FirstWeek): void {
    this.#week = null
    this.#give({ type: 'reloaded', t, config: this.#config({ learned: week.learned(), ditherBps: 0 }) })
  }

  #config(learning: Learning): CoreConfig {
    return tournamentCore(this.#strategy, this.#feedTauBps, learning, this.#stated)
  }

  #now(t: Ms, { midBps, midHour, stock, others }: WorldView): StandingQuote {
    const ours = quotesOf(this.#standing)
    const seen = (side: Side) => {
      const [own, other] = [ours[`${side}Bps`], others[`${side}Bps`]]
      const bps = this.#best[side] ?? null
      return { bps, isOurs: bps !== null && bps === own && bps !== other }
    }
    return {
      t,
      mid: rateAt(midBps),
      rateUpdatedAt: BEGIN + Math.round(midHour * HOUR_MS),
      amounts: { USDC: dollars(stock.bid), NTZS: shillings(stock.ask, midBps) },
      spread: this.#standing,
      best: { bid: seen('bid'), ask: seen('ask') },
    }
  }

  #open(t: Ms, view: WorldView): void {
    const { bidBps, askBps } = this.#standing
    const amounts = { ...zeroAmounts(), USDC: dollars(STOCK_USD), NTZS: shillings(STOCK_USD, view.midBps) }
    const none = { fills: [], quarantined: [], repeated: 0, windowFull: false } as const
    this.#give({
      type: 'started',
      t,
      version: 'tournament',
      config: this.#config({ learned: null, ditherBps: this.#ditherBps }),
    })
    this.#give({ type: 'account', t, request: 0, isActive: true, walletAddress: null })
    this.#give(this.#rate(t, view))
    this.#give({ type: 'fills', t, request: 0, sentAt: t, ...none })
    this.#give({ type: 'balances', t, request: 0, sentAt: t, amounts, source: 'pool' })
    this.#give({ type: 'fills', t, request: 0, sentAt: t, ...none })
    if (this.#feedTauBps !== null && view.feedBps === null)
      this.#give({
        type: 'referenceFailed',
        t,
        source: FEED_NAME,
        kind: 'unreadable',
        problem: 'the feed is down',
      })
    for (const side of SIDES) {
      const spreadBps = side === 'bid' ? bidBps : askBps
      const quote = { spreadBps, mid: rateAt(view.midBps), protocolFeeBps: 0, formula: 'divide' } as const
      this.#give({ type: 'quoteRead', t, request: 0, side, ...quote })
    }
  }

  #rate(t: Ms, { midBps, midHour }: WorldView): Event {
    this.#midBps = midBps
    const rateUpdatedAt = BEGIN + Math.round(midHour * HOUR_MS)
    const mid = rateAt(midBps)
    return { type: 'rate', t, request: 0, mid, problem: null, rateUpdatedAt, quotable: true, venueTime: t }
  }

  #showBest(t: Ms, side: Side, { others, stock, midBps, isRouted }: WorldView): void {
    const ours = side === 'bid' ? quotesOf(this.#standing).bidBps : quotesOf(this.#standing).askBps
    const theirs = side === 'bid' ? others.bidBps : others.askBps
    const best = Math.min(theirs ?? Infinity, isRouted && stock[side] > 0 ? (ours ?? Infinity) : Infinity)
    const bestBps = best === Infinity ? null : best
    if (bestBps === this.#best[side]) return
    this.#best[side] = bestBps
    const probe = { side, probe: PROBE, mid: rateAt(midBps), bestBps }
    this.#hear({ type: 'bestQuote', t, request: 0, ...probe, protocolFeeBps: 0, lowLiquidity: false })
  }

  #tell(t: Ms, news: readonly WorldNews[]): void {
    const fills = news.filter((one) => one.what === 'fill')
    if (fills.length === 0) return this.#restock(t, news[0]?.midBps ?? 0)
    const rows = fills.map((fill) => this.#rowOf(fill))
    this.#week?.traded(rows, t)
    const rest = { quarantined: [], repeated: 1, windowFull: false }
    this.#hear({ type: 'fills', t, request: 0, sentAt: t, fills: rows, ...rest })
  }

  #rowOf({ hour, side, usd, bps, midBps }: WorldFill): Fill {
    this.#fills += 1
    const sign = side === 'ask' ? -1 : 1
    const paid = shillings(usd * (1 + (sign * bps) / 10_000), midBps)
    const [inAsset, outAsset] = side === 'ask' ? (['USDC', 'NTZS'] as const) : (['NTZS', 'USDC'] as const)
    const [amountIn, amountOut] = side === 'ask' ? [dollars(usd), paid] : [paid, dollars(usd)]
    const createdAt = BEGIN + Math.round(hour * HOUR_MS)
    const row = { id: `fill-${this.#fills}`, side, inAsset, amountIn, outAsset, amountOut, createdAt }
    return { ...row, fee: 0n, earnedText: null, txHash: null, raw: '{}' }
  }

  /** Returns both currencies to their targets: out of the pool, across the position's border, and back. */
  #restock(t: Ms, midBps: number): void {
    this.#restockings += 1
    const state = this.#engine.state()
    invariant(state !== null, 'a world restocks after its start')
    const held = position(state.book)
    const target = { USDC: dollars(STOCK_USD), NTZS: shillings(STOCK_USD, midBps) }
    const done = { request: 0, partial: false, returned: [] } as const
    this.#give({ type: 'activation', t, isActive: false, ...done })
    for (const asset of ['USDC', 'NTZS'] as const) {
      const amount = toTokens(target[asset] - held[asset], asset)
      const key = `restocking-${this.#restockings}-${asset}`
      const command = { name: 'topUp', asset, amount, key } as const
      if (amount > 0n) this.#give({ type: 'operator', t, who: 'tournament', why: 'restocking', command })
      else if (amount < 0n)
        this.#give({ type: 'withdrawn', t, request: 0, asset, amount: -amount, txHash: null })
    }
    this.#give({ type: 'activation', t, isActive: true, ...done })
  }

  #give(event: Event): void {
    this.#hear(event)
    this.#conclude()
  }

  /** Updates the core. What one moment brings is decided upon together, with the next conclusion. */
  #hear(event: Event): void {
    this.#seq += 1
    this.#engine.update(this.#seq, event)
  }

  #conclude(): void {
    for (const effect of this.#engine.conclude().effects)
      if (effect.type === 'setQuote') this.#wanted = { id: effect.id, spread: effect.spread }
  }

  #check(): void {
    const state = this.#engine.state()
    const suspended = state?.strategy.suspended ?? null
    if (suspended !== null) throw new Error(`the strategy was suspended: ${suspended}`)
    const halted = state?.latch.halted ?? null
    if (halted !== null) throw new Error(`trading was halted by ${halted.rule}: ${halted.why}`)
  }
}

/** Groups consecutive fills into one answer, with restockings between the groups. */
function grouped(news: readonly WorldNews[]): readonly (readonly WorldNews[])[] {
  const groups: WorldNews[][] = []
  for (const one of news) {
    const last = groups.at(-1)
    if (one.what === 'fill' && last?.[0]?.what === 'fill') last.push(one)
    else groups.push([one])
  }
  return groups
}

function quotesOf({ bidBps, askBps, quoteBid, quoteAsk }: Spread): Quotes {
  return { bidBps: quoteBid ? bidBps : null, askBps: quoteAsk ? askBps : null }
}

/** Returns the rate that is this many log bps from the opening rate. */
function rateAt(bps: number): Rate {
  return BigInt(Math.round(OPENING_RATE * Math.exp(bps / 10_000) * 1e9)) * 10n ** 9n
}

function dollars(usd: number): BookAmount {
  return BigInt(Math.round(usd * 1e6)) * TOKEN_UNIT.USDC
}

/** Returns the shillings of this many dollars at a mid. */
function shillings(usd: number, midBps: number): BookAmount {
  const tzs = usd * OPENING_RATE * Math.exp(midBps / 10_000)
  return BigInt(Math.round(tzs * 1e6)) * BigInt(NTZS_ONE / 1e6)
}
