import { MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../../../base/money/bps.ts'
import { glftRule, glftSpreads } from '../../../core/models/glft.ts'
import { type ChainValue, evaluateChain } from './inventory-chain.ts'
import { bestPrice, OFF, type SidePrices, sidePrices } from '../../../core/models/policy/side-prices.ts'

/** Inputs of the best spreads. Inventory is dollars above the target, in lots of equal size. */
export type PolicyMarket = {
  /** Takers a day who sell dollars to us, at no distance from the fair value: askBps prices them. */
  readonly aBuy: number
  /** Takers a day who buy dollars from us: bidBps prices them. */
  readonly aSell: number
  /** Per bps. */
  readonly k: number
  /** Posterior of k: Gamma with this shape and mean k; null = k is certain. */
  readonly kShape: number | null
  /** Volatility of the fair value, bps per square root of a day. */
  readonly sigmaBps: number
  /** gamma, per bps and lot: an inventory of q lots costs gamma sigma^2 q^2 / 2 a day. */
  readonly riskAversion: number
  /** Q: at +Q we buy no more dollars, at -Q we sell no more. */
  readonly limitLots: number
  /** Fair value less the venue's mid; takers and edges are both measured from the fair value. */
  readonly fairShiftBps: number
  /** Drift of the fair value. */
  readonly driftBpsPerDay: number
  /** Adverse move of the fair value at each retail fill. */
  readonly adverseBps: number
  /** Visits a day and side by takers who know the fair value, and the error of our own estimate of it. */
  readonly informed: { readonly perDay: number; readonly tauBps: number }
  readonly rivals: {
    readonly ask: readonly number[]
    readonly bid: readonly number[]
    readonly toleranceBps: number
  }
}

/** The spreads at one inventory; null = the side is off. */
type PolicyRow = {
  readonly q: number
  readonly askBps: number | null
  readonly bidBps: number | null
}

export type VenuePolicy = {
  /** From -Q to Q lots. */
  readonly rows: readonly PolicyRow[]
  /** Mean reward in the long run, bps * lot a day; null = only the closed form was found. */
  readonly rho: number | null
  /** `steps[i]`: the value of the lot from inventory i - Q to i - Q + 1, bps; a later solution starts from them. */
  readonly steps: Float64Array
  /** Rounds of policy iteration. */
  readonly rounds: number
  readonly method: 'programme' | 'closed form'
}

/** Far from any fair quote it takes 200 rounds, because each moves a spread by 1/k. */
const MOST_ROUNDS = 1_000

/**
 * Returns the best spreads in integer bps within the venue's limits, by policy iteration: each round derives the value of a
 * lot in every state from the policy, and the best spread of each side from that value. It ends when a round changes
 * nothing, typically after 5 to 9 rounds; starting from the `steps` of a similar market takes fewer. A side is off if no
 * allowed spread pays, or at the inventory limit. Equal arguments give equal policies. Without convergence the closed form
 * is returned, and `method` names it. Source: Howard 1960; quant.md sections 1.6 and 2.4.
 */
export function venuePolicy(
  market: PolicyMarket,
  start: Float64Array | null = null,
  mostRounds = MOST_ROUNDS,
): VenuePolicy {
  const { limitLots } = market
  const sides = sidesOf(market)
  const last = 2 * limitLots
  let steps = start?.length === last ? start : new Float64Array(last)
  let chosen = choose(sides, steps, allOff(last + 1))
  for (let rounds = 1; rounds <= mostRounds; rounds++) {
    const value = evaluate(market, sides, chosen)
    steps = value.steps
    const next = choose(sides, steps, chosen)
    if (isSame(chosen, next))
      return { rows: rowsOf(chosen, limitLots), rho: value.gain, steps, rounds, method: 'programme' }
    chosen = next
  }
  return { rows: closedFormRows(market), rho: null, steps, rounds: mostRounds, method: 'closed form' }
}

type Sides = { readonly ask: SidePrices; readonly bid: SidePrices }

function sidesOf(market: PolicyMarket): Sides {
  const { aBuy, aSell, k, kShape, fairShiftBps, adverseBps, informed, rivals } = market
  const both = { k, kShape, adverseBps, informed, toleranceBps: rivals.toleranceBps }
  return {
    ask: sidePrices({ ...both, takersPerDay: aBuy, shiftBps: fairShiftBps, rivalBps: rivals.ask }),
    bid: sidePrices({ ...both, takersPerDay: aSell, shiftBps: -fairShiftBps, rivalBps: rivals.bid }),
  }
}

/** The index of each side's spread in each state. */
type Choice = { readonly ask: Int16Array; readonly bid: Int16Array }

function allOff(states: number): Choice {
  return { ask: new Int16Array(states).fill(OFF), bid: new Int16Array(states).fill(OFF) }
}

/** An ask buys a lot of dollars: one step up. A bid sells one: one step down. */
function choose({ ask, bid }: Sides, steps: Float64Array, before: Choice): Choice {
  const choice = allOff(steps.length + 1)
  for (let i = 0; i < steps.length; i++) {
    choice.ask[i] = bestPrice(ask, steps[i]!, before.ask[i]!)
    choice.bid[i + 1] = bestPrice(bid, -steps[i]!, before.bid[i + 1]!)
  }
  return choice
}

function evaluate(market: PolicyMarket, { ask, bid }: Sides, choice: Choice): ChainValue {
  const { sigmaBps, riskAversion, driftBpsPerDay, limitLots } = market
  const pick = (places: Int16Array, figures: Float64Array) =>
    Float64Array.from(places, (place) => (place === OFF ? 0 : figures[place]!))
  const [askIncomes, bidIncomes] = [pick(choice.ask, ask.incomes), pick(choice.bid, bid.incomes)]
  const rewards = askIncomes.map((income, i) => {
    const q = i - limitLots
    return income + bidIncomes[i]! + driftBpsPerDay * q - (riskAversion * sigmaBps ** 2 * q ** 2) / 2
  })
  return evaluateChain({ up: pick(choice.ask, ask.rates), down: pick(choice.bid, bid.rates), rewards })
}

function isSame(one: Choice, other: Choice): boolean {
  return one.ask.every((place, i) => place === other.ask[i] && one.bid[i] === other.bid[i])
}

function rowsOf({ ask, bid }: Choice, limitLots: number): readonly PolicyRow[] {
  const bpsOf = (place: number) => (place === OFF ? null : MIN_SPREAD_BPS + place)
  return Array.from(ask, (place, i) => ({ q: i - limitLots, askBps: bpsOf(place), bidBps: bpsOf(bid[i]!) }))
}

/** The closed form divides by the takers per day and by gamma sigma^2. */
const LEAST = 1e-6

/**
 * Returns the closed form of the same problem without limits, informed takers, rivals and uncertainty about k,
 * rounded to the nearest allowed spread: a cross-check if no bound binds, and the fallback. Source: quant.md sections
 * 1.2 and 1.3.
 */
export function closedFormRows(market: PolicyMarket): readonly PolicyRow[] {
  const { aBuy, aSell, limitLots, fairShiftBps, sigmaBps, riskAversion, ...rest } = market
  const rule = glftRule({
    ...rest,
    a: Math.max(LEAST, Math.sqrt(aBuy * aSell)),
    sigmaBps: Math.max(LEAST, sigmaBps),
    riskAversion: Math.max(LEAST, riskAversion),
    objective: 'penalty',
  })
  const bound = (bps: number) => Math.min(MAX_SPREAD_BPS, Math.max(MIN_SPREAD_BPS, Math.round(bps)))
  return Array.from({ length: 2 * limitLots + 1 }, (_, i) => {
    const q = i - limitLots
    const { buyBps, sellBps } = glftSpreads(rule, q)
    return {
      q,
      askBps: q === limitLots ? null : bound(buyBps - fairShiftBps),
      bidBps: q === -limitLots ? null : bound(sellBps + fairShiftBps),
    }
  })
}
