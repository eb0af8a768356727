import { drawExponential, drawNormal, type Random, seededRandom } from '../../../base/random.ts'
import type { Scenario } from '../scenario.ts'
import { drawArrivals, drawIncidents } from './arrivals.ts'
import { dayOfHour, HOURS_A_DAY, isWorkingDay } from './calendar.ts'
import type { Update } from './publication.ts'

/** `ask` = takers who bring dollars (we buy them), `bid` = takers who want dollars (we sell them). */
export type TakerSide = 'bid' | 'ask'

/** The widest spread that the taker accepts, measured from the true rate by an informed taker, else from the mid. */
export type Retail = {
  readonly hour: number
  readonly side: TakerSide
  readonly usd: number
  /** A look of an informed taker; `noise` is standard normal. */
  readonly reservationBps: number
  readonly knows: boolean
}

/** An informed taker looks; `noise` is standard normal. */
export type Look = { readonly hour: number; readonly noise: number }

const OPEN_FROM = 5
const OPEN_TO = 17
const OPEN_FACTOR = 1.6
const CLOSED_FACTOR = 0.4
const WEEKEND_FACTOR = 0.7
const PAYDAYS = { every: 30, from: 23, to: 26 }
const SEASON_DAYS = 60

/** Draws the customers of one side, with its scripts. */
export function drawRetail(
  { retail, regime }: Scenario,
  side: TakerSide,
  seed: number,
  days: number,
): readonly Retail[] {
  const random = seededRandom(seed, `retail ${side}`)
  const perDay = side === 'ask' ? retail.askPerDay : retail.bidPerDay
  const changed = side === 'ask' ? regime.askFactor : regime.bidFactor
  const isChanged = (hour: number) => dayOfHour(hour) >= regime.fromDay
  const times = drawArrivals(
    random,
    days * HOURS_A_DAY,
    (hour) => (perDay / HOURS_A_DAY) * factorAt(retail, side, hour) * (isChanged(hour) ? changed : 1),
  )
  const takers = times.map((hour) => {
    const usd = side === 'ask' ? broughtUsd(random) : wantedUsd(random)
    const drawn = drawExponential(random, retail.reservationBps)
    const patience = Math.max(1, usd / MEAN_USD[side]) ** -retail.sizePatience
    const reservationBps = lawful(retail, drawn) * patience * (isChanged(hour) ? regime.reservationFactor : 1)
    return { hour, side, usd, reservationBps, knows: random() < retail.knowingShare }
  })
  const absent = drawOneSided(retail, seed, days).filter((week) => week.without === side)
  return [
    ...takers.filter(({ hour }) => !absent.some(({ from }) => hour >= from && hour < from + WEEK_HOURS)),
    ...retail.scripts.filter((script) => script.side === side).flatMap((script) => scripted(script, days)),
  ]
}

const MEAN_USD = { ask: 216, bid: 1_240 } as const
const WEEK_HOURS = 7 * HOURS_A_DAY

/** Returns an exponential draw, or the same quantile of another law with the same mean. */
function lawful({ law, reservationBps }: Scenario['retail'], drawn: number): number {
  if (law === 'exponential') return drawn
  return law === 'equal' ? reservationBps : -2 * reservationBps * Math.expm1(-drawn / reservationBps)
}

function drawOneSided({ oneSided }: Scenario['retail'], seed: number, days: number) {
  const random = seededRandom(seed, 'one-sided')
  return drawIncidents(random, days, oneSided).map((from) => ({
    from,
    without: random() < 0.5 ? ('ask' as const) : ('bid' as const),
  }))
}

function scripted(
  { side, usd, everyHours, reservationBps }: Scenario['retail']['scripts'][number],
  days: number,
): readonly Retail[] {
  const times = Math.floor((days * HOURS_A_DAY) / everyHours)
  return Array.from({ length: times }, (_, index) => {
    return { hour: (index + 0.5) * everyHours, side, usd, reservationBps, knows: false }
  })
}

/** Returns this hour's arrivals as a multiple of the average. */
function factorAt({ paydayFactor, seasonShare }: Scenario['retail'], side: TakerSide, hour: number): number {
  const day = dayOfHour(hour)
  const ofDay = hour % HOURS_A_DAY
  const opening = ofDay >= OPEN_FROM && ofDay < OPEN_TO ? OPEN_FACTOR : CLOSED_FACTOR
  const weekend = isWorkingDay(day) ? 1 : WEEKEND_FACTOR
  const ofMonth = day % PAYDAYS.every
  const payday = side === 'ask' && ofMonth >= PAYDAYS.from && ofMonth <= PAYDAYS.to ? paydayFactor : 1
  const season = seasonShare * Math.sin((2 * Math.PI * day) / SEASON_DAYS)
  return opening * weekend * payday * (side === 'ask' ? 1 + season : 1 - season)
}

/** Draws a remittance, or occasionally a business payment: mean 216. */
function broughtUsd(random: Random): number {
  const isSmall = random() < 0.75
  const usd = (isSmall ? 60 : 300) * Math.exp(1.1 * drawNormal(random))
  return Math.min(isSmall ? 2_000 : 5_000, usd)
}

/** Draws the amount of an importer or a saver: mean 1,240. */
function wantedUsd(random: Random): number {
  return Math.min(8_000, 600 * Math.exp(1.3 * drawNormal(random)))
}

const TYPO_SEEN_AFTER_HOURS = 1 / 6
const TYPO_LOOK_EVERY_HOURS = 1 / 12

/** Draws the times at which informed takers compare prices; a mistyped update attracts more of them. */
export function drawLooks(
  { informed, regime }: Scenario,
  updates: readonly Update[],
  seed: number,
  days: number,
): readonly Look[] {
  const random = seededRandom(seed, 'informed')
  const perHour = informed.looksPerDay / HOURS_A_DAY
  const changed = perHour * regime.looksFactor
  const rateAt = (hour: number) => (dayOfHour(hour) >= regime.fromDay ? changed : perHour)
  const looks = drawArrivals(random, days * HOURS_A_DAY, rateAt).map((hour) => ({
    hour,
    noise: drawNormal(random),
  }))
  for (const { hour, isTypo } of updates) {
    if (!isTypo) continue
    let at = Math.floor(hour) + TYPO_SEEN_AFTER_HOURS
    for (let left = informed.looksAfterTypo; left > 0; left--) {
      at += drawExponential(random, TYPO_LOOK_EVERY_HOURS)
      looks.push({ hour: at, noise: drawNormal(random) })
    }
  }
  return looks.filter(({ hour }) => hour < days * HOURS_A_DAY).sort((a, b) => a.hour - b.hour)
}
