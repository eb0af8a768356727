import type { TakerSide } from '../draw/takers.ts'
import type { ScenarioWorld } from '../draw/world.ts'
import type { Quotes } from './participant.ts'
import { EMPTY_USD, STOCK_USD } from './account.ts'

/** Another provider. Retail takers do not deplete it; an informed taker does, and a day later it is full again. */
export type Rival = {
  readonly quote: Record<TakerSide, number | null>
  readonly stock: Record<TakerSide, number>
  /** When a side is full again; Infinity = it is full. */
  readonly fullAt: Record<TakerSide, number>
  lastFilled: number
}

const FOLLOW_SHARE = 0.8
const FOLLOW_ERROR_BPS = 25
const FOLLOW_OFF_BPS = 250
const STATIC_NOISE_BPS = 6
const UNDERCUT_GIVES_UP = 0.04
const LOWEST_BPS = 10
const HIGHEST_BPS = 500

/** The other providers of a world. */
export class Rivals {
  readonly all: readonly Rival[]
  readonly #world: ScenarioWorld
  readonly #undercutter: Rival | null

  constructor(world: ScenarioWorld) {
    const { followBps, staticBps, undercut } = world.scenario.rivals
    this.#world = world
    const plain = [...followBps, ...staticBps].map(createRival)
    this.#undercutter = undercut ? createRival() : null
    this.all = this.#undercutter === null ? plain : [...plain, this.#undercutter]
  }

  /** Requotes all rivals at a half hour, the undercutting one last; `ours` are our quotes on sides that can pay. */
  requote(step: number, gapBps: number, ours: Quotes): void {
    const { scenario, rivals: draws } = this.#world
    const { followBps, staticBps } = scenario.rivals
    const seen = gapBps + FOLLOW_ERROR_BPS * (draws.error[step] ?? 0)
    followBps.forEach((bps, index) => follow(this.all[index], bps, seen))
    staticBps.forEach((bps, index) => {
      const rival = this.all[followBps.length + index]
      if (rival === undefined) return
      rival.quote.bid = within(bps + STATIC_NOISE_BPS * (draws.noise[2 * index]?.[step] ?? 0))
      rival.quote.ask = within(bps + STATIC_NOISE_BPS * (draws.noise[2 * index + 1]?.[step] ?? 0))
    })
    this.react(step, ours)
  }

  /** The undercutting rival answers our quotes. */
  react(step: number, ours: Quotes): void {
    if (this.#undercutter === null) return
    this.#undercut(this.#undercutter, 'bid', ours.bidBps, step)
    this.#undercut(this.#undercutter, 'ask', ours.askBps, step)
  }

  /** Returns the best spread of the others on a side; null = no provider quotes it. */
  best(side: TakerSide, but: Rival | null = null): number | null {
    let best: number | null = null
    for (const rival of this.all) {
      const bps = rival.quote[side]
      if (rival !== but && bps !== null && (best === null || bps < best)) best = bps
    }
    return best
  }

  /** Returns the amount that a rival can pay on a side now. */
  stock(rival: Rival, side: TakerSide, hour: number): number {
    if (hour >= rival.fullAt[side]) {
      rival.stock[side] = STOCK_USD
      rival.fullAt[side] = Infinity
    }
    return rival.stock[side]
  }

  /** Takes `usd` from it for an informed taker. */
  take(rival: Rival, side: TakerSide, hour: number, usd: number): void {
    rival.stock[side] -= usd
    if (rival.fullAt[side] === Infinity) rival.fullAt[side] = hour + 24
  }

  #undercut(rival: Rival, side: TakerSide, ours: number | null, step: number): void {
    const { scenario, rivals: draws } = this.#world
    const { undercutByBps, undercutFloorBps, undercutTopBps } = scenario.rivals
    const best = Math.min(this.best(side, rival) ?? Infinity, ours ?? Infinity)
    const room = Math.min(undercutTopBps, best - undercutByBps)
    if (room >= undercutFloorBps) rival.quote[side] = within(room)
    else if (rival.quote[side] === within(undercutTopBps)) return
    else
      rival.quote[side] = within(
        (draws.patience[side][step] ?? 1) < UNDERCUT_GIVES_UP ? undercutTopBps : undercutFloorBps,
      )
  }
}

/** Returns our quotes as the others see them: a side that cannot pay is not shown. */
export function shownQuotes(ours: Quotes, stock: (side: TakerSide) => number): Quotes {
  return {
    bidBps: stock('bid') > EMPTY_USD ? ours.bidBps : null,
    askBps: stock('ask') > EMPTY_USD ? ours.askBps : null,
  }
}

function createRival(): Rival {
  return {
    quote: { bid: null, ask: null },
    stock: { bid: STOCK_USD, ask: STOCK_USD },
    fullAt: { bid: Infinity, ask: Infinity },
    lastFilled: 0,
  }
}

function follow(rival: Rival | undefined, bps: number, seenBps: number): void {
  if (rival === undefined) return
  const isOff = Math.abs(seenBps) > FOLLOW_OFF_BPS
  rival.quote.bid = isOff ? null : within(bps + FOLLOW_SHARE * seenBps)
  rival.quote.ask = isOff ? null : within(bps - FOLLOW_SHARE * seenBps)
}

/** Rounds and clamps a spread to the venue's whole bps from 10 to 500. */
function within(bps: number): number {
  return Math.min(HIGHEST_BPS, Math.max(LOWEST_BPS, Math.round(bps)))
}
