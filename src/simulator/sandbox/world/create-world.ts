import { invariant } from '../../../base/result.ts'
import { HOUR_MS, type Ms } from '../../../base/time.ts'
import { TOKEN_DECIMALS, zeroAmounts, type TokenAmounts, type Asset } from '../../../base/money/asset.ts'
import type { Rate } from '../../../base/money/rate.ts'
import type { Rival } from '../../../research/scenarios/play/rivals.ts'
import { RESTOCK_BELOW_SHARE, RESTOCK_COST_BPS, STOCK_USD } from '../../../research/scenarios/play/account.ts'
import { isRestockingHour, STEPS_AN_HOUR } from '../../../research/scenarios/play/play-world.ts'
import type { Quotes } from '../../../research/scenarios/play/participant.ts'
import type { Scenario } from '../../../research/scenarios/scenario.ts'
import { Quarters, type Quarter } from './quarters.ts'
import { gapTo, printedRate, rateFromBps, createTakers, type Takers } from './takers.ts'
import type { CompetitorOpening, World, WorldStep } from './world.ts'

/** How the missing currency comes back: never, on Mondays, or free of charge at every rate update. */
export type Restocking = 'none' | 'weekly' | 'updates'

type Opening = {
  readonly scenario: Scenario
  readonly seed: number
  readonly start: Ms
  /** Multiplies the scenario's number of small takers. */
  readonly retailFactor?: number
  readonly restocking?: Restocking
}

/** A market without weekends can be watched on a Sunday: its mid is always only hours old. */
const FRESH_MS = 6 * HOUR_MS

/** Returns the market of a scenario from `start` on (ms since the epoch, UTC), its Mondays on Mondays. */
export function createWorld(opening: Opening): World {
  return new ScenarioMarket(opening)
}

type Due = {
  readonly hour: number
  readonly kind: 'halfHour' | 'update' | 'retail' | 'look' | 'outage' | 'over'
}

class ScenarioMarket implements World {
  readonly openingMid: Rate
  readonly openingPrintedAt: Ms
  readonly competitors: readonly CompetitorOpening[]
  readonly #quarters: Quarters
  readonly #takers: Takers
  readonly #restocking: Restocking
  /** Offset subtracted from every rate, so that the market opens at the opening mid. */
  readonly #shiftBps: number
  #quarter: Quarter
  #cursor = { halfHour: 0, update: 0, retail: 0, look: 0, outage: 0 }
  #due: Due
  /** Further steps at the moment of the last one. */
  readonly #pending: WorldStep[] = []

  constructor({ scenario, seed, start, retailFactor = 1, restocking = 'none' }: Opening) {
    const { retail } = scenario
    const { askPerDay, bidPerDay } = retail
    const crowd = { ...retail, askPerDay: askPerDay * retailFactor, bidPerDay: bidPerDay * retailFactor }
    this.#quarters = new Quarters({ ...scenario, retail: crowd }, seed, start)
    this.#takers = createTakers(seed)
    this.#restocking = restocking
    this.#quarter = this.#quarters.quarter(0)
    const { openingHour } = this.#quarters
    const { updates } = this.#quarter.world
    const standing = updates.findLast(({ hour }) => hour <= openingHour)
    this.#shiftBps = standing?.bps ?? 0
    this.openingMid = printedRate(rateFromBps(0))
    const printedAt = this.#quarters.timeOf(this.#quarter, standing?.hour ?? 0)
    this.openingPrintedAt = scenario.rate.movesAtWeekends ? printedAt : Math.max(printedAt, start - FRESH_MS)
    this.#due = this.#startAfter(openingHour)
    const step = Math.floor(openingHour * STEPS_AN_HOUR)
    this.#quarter.rivals.requote(step, gapTo(this.openingMid, this.#rateAt(start)), {
      bidBps: null,
      askBps: null,
    })
    this.competitors = this.#quarter.rivals.all.map((rival, index) => openingOf(rival, index))
  }

  marketRateAt(at: Ms): Rate {
    return printedRate(rateFromBps(this.#rateAt(at)))
  }

  peekAt(): Ms {
    const [first] = this.#pending
    return first?.at ?? this.#quarters.timeOf(this.#quarter, this.#due.hour)
  }

  next(seenMid: Rate, shown: () => Quotes): WorldStep {
    if (this.#pending.length === 0) {
      this.#pending.push(...this.#happen(this.peekAt(), seenMid, shown))
      this.#due = this.#nextDue()
    }
    const step = this.#pending.shift()
    invariant(step !== undefined, 'what is due in a world is at least one step')
    return step
  }

  #rateAt(at: Ms): number {
    return this.#quarters.rateAt(at) - this.#shiftBps
  }

  #happen(at: Ms, seenMid: Rate, shown: () => Quotes): readonly WorldStep[] {
    const { world, offsetBps } = this.#quarter
    const { kind } = this.#due
    const cursor = this.#cursor
    switch (kind) {
      case 'halfHour':
        return this.#halfHour(at, seenMid, shown)
      case 'update': {
        const bps = (world.updates[cursor.update++]?.bps ?? 0) + offsetBps - this.#shiftBps
        const print: WorldStep = { at, type: 'print', mid: printedRate(rateFromBps(bps)) }
        return this.#restocking === 'updates' ? [print, this.#restock(at, null, 0)] : [print]
      }
      case 'retail':
        return [this.#takers.retail(at, world.retail[cursor.retail++], seenMid, this.#rateAt(at))]
      case 'look':
        return [this.#takers.informed(at, world, world.looks[cursor.look++], seenMid, this.#rateAt(at))]
      case 'outage': {
        const to = world.outages[cursor.outage++]?.to ?? 0
        return [{ at, type: 'outage', untilMs: this.#quarters.timeOf(this.#quarter, to) }]
      }
      case 'over':
        throw new Error('a quarter that is over has no steps')
    }
  }

  #halfHour(at: Ms, seenMid: Rate, shown: () => Quotes): readonly WorldStep[] {
    const { rivals } = this.#quarter
    const step = this.#cursor.halfHour++
    rivals.requote(step, gapTo(seenMid, this.#rateAt(at)), shown())
    const steps: WorldStep[] = rivals.all.map(({ quote }, index) => ({
      at,
      type: 'competitorQuote',
      name: nameOf(index),
      bidBps: quote.bid,
      askBps: quote.ask,
    }))
    if (this.#restocking === 'weekly' && isRestockingHour(step / STEPS_AN_HOUR))
      steps.push(this.#restock(at, RESTOCK_BELOW_SHARE, RESTOCK_COST_BPS))
    return steps
  }

  #restock(at: Ms, belowShare: number | null, costBps: number): WorldStep {
    return { at, type: 'restock', rate: this.marketRateAt(at), belowShare, costBps }
  }

  #startAfter(hour: number): Due {
    const { world } = this.#quarter
    const after = (list: readonly { readonly hour: number }[]) => {
      const first = list.findIndex((one) => one.hour > hour)
      return first < 0 ? list.length : first
    }
    const outage = world.outages.findIndex(({ from }) => from > hour)
    this.#cursor = {
      halfHour: Math.floor(hour * STEPS_AN_HOUR) + 1,
      update: after(world.updates),
      retail: after(world.retail),
      look: after(world.looks),
      outage: outage < 0 ? world.outages.length : outage,
    }
    return this.#nextDue()
  }

  /** Returns the earliest remaining event of this quarter or, if none is left, of the next one. */
  #nextDue(): Due {
    const found = this.#earliest()
    if (found.kind !== 'over') return found
    this.#quarter = this.#quarters.quarter(this.#quarter.index + 1)
    this.#cursor = { halfHour: 0, update: 0, retail: 0, look: 0, outage: 0 }
    return this.#nextDue()
  }

  #earliest(): Due {
    const { world, rivals } = this.#quarter
    const { update, retail, look, outage } = this.#cursor
    let due: Due = { hour: Infinity, kind: 'over' }
    const consider = (kind: Due['kind'], hour: number | undefined) => {
      if (hour !== undefined && hour < due.hour) due = { hour, kind }
    }
    const halfHour = this.#nextHalfHour(rivals.all.length > 0)
    if (halfHour < world.feed.isUp.length) consider('halfHour', halfHour / STEPS_AN_HOUR)
    consider('update', world.updates[update]?.hour)
    consider('retail', world.retail[retail]?.hour)
    consider('look', world.looks[look]?.hour)
    consider('outage', world.outages[outage]?.from)
    return due
  }

  /** Returns the next half hour with an event: every one if rivals requote, otherwise those of restocking. */
  #nextHalfHour(hasRivals: boolean): number {
    const { length } = this.#quarter.world.feed.isUp
    if (hasRivals) return this.#cursor.halfHour
    if (this.#restocking !== 'weekly') return length
    while (this.#cursor.halfHour < length && !isRestockingHour(this.#cursor.halfHour / STEPS_AN_HOUR))
      this.#cursor.halfHour++
    return this.#cursor.halfHour
  }
}

const NAMES = ['rufiji', 'pangani', 'ruvuma', 'mara', 'wami']

function nameOf(index: number): string {
  return NAMES[index] ?? `rival-${index + 1}`
}

/** Of the dollars of a rival; the others are USDC, as ours. */
const USDT_USD = STOCK_USD / 5

/** A rival with its stock on each side at the opening mid. */
function openingOf({ quote }: Rival, index: number): CompetitorOpening {
  const whole = (amount: number, asset: Asset) =>
    BigInt(Math.round(amount)) * 10n ** BigInt(TOKEN_DECIMALS[asset])
  const amounts: TokenAmounts = {
    ...zeroAmounts(),
    NTZS: whole(STOCK_USD * rateFromBps(0), 'NTZS'),
    USDC: whole(STOCK_USD - USDT_USD, 'USDC'),
    USDT: whole(USDT_USD, 'USDT'),
  }
  return { name: nameOf(index), bidBps: quote.bid, askBps: quote.ask, amounts, refills: true }
}
