import { drawExponential, drawNormal, seededRandom, type Random } from '../src/base/random.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Ms } from '../src/base/time.ts'
import { TOKEN_DECIMALS, zeroAmounts, type Asset, type StableAsset } from '../src/base/money/asset.ts'
import { rateToNumber, type Rate } from '../src/base/money/rate.ts'
import type { Side } from '../src/base/money/side.ts'
import { bpsFromRate, printedRate, rateFromBps } from '../src/simulator/sandbox/world/takers.ts'
import type { CompetitorOpening, World, WorldStep } from '../src/simulator/sandbox/world/world.ts'
import { type ExampleRate, isWorkingDay, publishedFrom } from './example-rate.ts'

/** One cause of steps, in order of time. */
type Source = { peekAt(): Ms; next(seenMid: Rate): WorldStep }

const FRESH_MS = 6 * HOUR_MS

/**
 * The market in which the shipped tape was recorded. It is busier and kinder than the scenarios of config/scenarios, with a
 * thousand takers a day on each side, and stays as it was, for figures in the documentation are those of this tape.
 */
export function createExampleMarket(rate: ExampleRate, seed: number, start: Ms): World {
  const competitors = COMPETITORS.map((one) => createCompetitor(one, seed, start))
  const sources = [
    createPublication(rate, seed, start),
    ...competitors.map(({ source }) => source),
    createRetail('bid', seed, start),
    createRetail('ask', seed, start),
    createInformed(rate, seed, start),
  ]
  const earliest = (): Source =>
    sources.reduce((first, source) => (source.peekAt() < first.peekAt() ? source : first))
  return {
    openingMid: printedRate(rateFromBps(0)),
    openingPrintedAt: Math.max(publishedFrom(rate.openingDay), start - FRESH_MS),
    competitors: competitors.map(({ opening }) => opening),
    marketRateAt: (at) => printedRate(rateFromBps(rate.at(at))),
    peekAt: () => earliest().peekAt(),
    next: (seenMid) => earliest().next(seenMid),
  }
}

/** Prints on working days, a few minutes after 07:00 UTC. */
function createPublication(rate: ExampleRate, seed: number, start: Ms): Source {
  const random = seededRandom(seed, 'publication')
  let day = rate.openingDay
  let at = start
  const advance = (): void => {
    do day++
    while (!isWorkingDay(day))
    at = publishedFrom(day) + Math.floor(random() * 10 * MINUTE_MS)
  }
  advance()
  return {
    peekAt: () => at,
    next() {
      const step = { at, type: 'print' as const, mid: printedRate(rateFromBps(rate.printOf(day))) }
      advance()
      return step
    },
  }
}

type Competitor = {
  readonly name: string
  readonly bps: number
  readonly perDay: number
  readonly oneSided: number
}

const COMPETITORS: readonly Competitor[] = [
  { name: 'rufiji', bps: 66, perDay: 96, oneSided: 0.03 },
  { name: 'pangani', bps: 74, perDay: 48, oneSided: 0.03 },
  { name: 'ruvuma', bps: 84, perDay: 24, oneSided: 0.1 },
]
const [LOWEST_BPS, HIGHEST_BPS] = [55, 90]
/** How much of its last mood a competitor keeps from one quote to the next. */
const PERSISTENCE = 0.7

/** Its half-spread wanders around its base and leans to one side for a while; now and then one side is off. */
function createCompetitor(
  { name, bps, perDay, oneSided }: Competitor,
  seed: number,
  start: Ms,
): { readonly opening: CompetitorOpening; readonly source: Source } {
  const random = seededRandom(seed, `competitor ${name}`)
  const fresh = Math.sqrt(1 - PERSISTENCE * PERSISTENCE) * ((HIGHEST_BPS - LOWEST_BPS) / 4)
  let width = 0
  let lean = 0
  const clamp = (wanted: number): number => Math.round(Math.min(HIGHEST_BPS, Math.max(LOWEST_BPS, wanted)))
  const quote = () => {
    width = PERSISTENCE * width + fresh * drawNormal(random)
    lean = PERSISTENCE * lean + fresh * drawNormal(random)
    const isOneSided = random() < oneSided
    return {
      bidBps: isOneSided && lean < 0 ? null : clamp(bps + width - lean),
      askBps: isOneSided && lean >= 0 ? null : clamp(bps + width + lean),
    }
  }
  const whole = (amount: number, asset: Asset) => BigInt(amount) * 10n ** BigInt(TOKEN_DECIMALS[asset])
  const amounts = {
    ...zeroAmounts(),
    NTZS: whole(260_000_000, 'NTZS'),
    USDC: whole(80_000, 'USDC'),
    USDT: whole(20_000, 'USDT'),
  }
  const opening = { name, ...quote(), amounts }
  let at = arrivalAfter(random, start, perDay)
  const source: Source = {
    peekAt: () => at,
    next() {
      const step = { at, type: 'competitorQuote' as const, name, ...quote() }
      at = arrivalAfter(random, at, perDay)
      return step
    },
  }
  return { opening, source }
}

const TAKERS_A_DAY = { ask: 2 * 0.52 * 1_200, bid: 2 * (1 - 0.52) * 1_200 }
const RESERVATION_BPS = 60
const USDT_SHARE = 0.2

function createRetail(side: Side, seed: number, start: Ms): Source {
  const random = seededRandom(seed, `retail ${side}`)
  let at = arrivalAfter(random, start, TAKERS_A_DAY[side])
  let number = 0
  return {
    peekAt: () => at,
    next(seenMid) {
      number++
      const stable = random() < USDT_SHARE ? 'USDT' : 'USDC'
      const usd = drawDollars(random, 250)
      const maxSpreadBps = drawExponential(random, RESERVATION_BPS)
      const step = swapOf({ at, taker: `retail-${side}-${number}`, side, stable, usd, seenMid, maxSpreadBps })
      at = arrivalAfter(random, at, TAKERS_A_DAY[side])
      return step
    },
  }
}

const INFORMED_A_DAY = 10
const MARGIN_BPS = 5

/** They trade where the venue's mid is wrong by more than the spread. */
function createInformed(rate: ExampleRate, seed: number, start: Ms): Source {
  const random = seededRandom(seed, 'informed')
  let at = arrivalAfter(random, start, INFORMED_A_DAY)
  let number = 0
  return {
    peekAt: () => at,
    next(seenMid) {
      number++
      const gapBps = rate.at(at) - bpsFromRate(rateToNumber(seenMid))
      const side = gapBps > 0 ? 'bid' : 'ask'
      const usd = drawDollars(random, 1_000)
      const maxSpreadBps = Math.abs(gapBps) - MARGIN_BPS
      const step = swapOf({
        at,
        taker: `informed-${number}`,
        side,
        stable: 'USDC',
        usd,
        seenMid,
        maxSpreadBps,
      })
      at = arrivalAfter(random, at, INFORMED_A_DAY)
      return step
    },
  }
}

function arrivalAfter(random: Random, after: Ms, perDay: number): Ms {
  return after + Math.max(1, Math.ceil(drawExponential(random, DAY_MS / perDay)))
}

const MOST_USD = 5_000

function drawDollars(random: Random, medianUsd: number): number {
  return Math.min(MOST_USD, Math.max(1, medianUsd * Math.exp(drawNormal(random))))
}

type Wish = {
  readonly at: Ms
  readonly taker: string
  readonly side: Side
  readonly stable: StableAsset
  readonly usd: number
  readonly seenMid: Rate
  readonly maxSpreadBps: number
}

/** Dollars in whole cents, shillings in whole shillings, at least one. */
function swapOf({ at, taker, side, stable, usd, seenMid, maxSpreadBps }: Wish): WorldStep {
  if (side === 'ask') {
    const amountIn = BigInt(Math.max(1, Math.round(usd * 100))) * 10n ** BigInt(TOKEN_DECIMALS[stable] - 2)
    return { at, type: 'swap', taker, from: stable, to: 'NTZS', amountIn, maxSpreadBps }
  }
  const shillings = BigInt(Math.max(1, Math.round(usd * rateToNumber(seenMid))))
  const amountIn = shillings * 10n ** BigInt(TOKEN_DECIMALS.NTZS)
  return { at, type: 'swap', taker, from: 'NTZS', to: stable, amountIn, maxSpreadBps }
}
