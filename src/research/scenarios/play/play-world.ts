import { seededRandom } from '../../../base/random.ts'
import { pickWithinTolerance } from '../../../core/market/routing.ts'
import { dayOfHour, HOURS_A_DAY } from '../draw/calendar.ts'
import type { Look, Retail, TakerSide } from '../draw/takers.ts'
import type { ScenarioWorld } from '../draw/world.ts'
import { type Stock, WorldAccount } from './account.ts'
import type { Participant, Quotes, WorldFill, WorldNews, WorldResult, WorldView } from './participant.ts'
import { informedTake, LOOK_USD } from './informed-take.ts'
import { type RefillPolicy, Refills } from './refills.ts'
import { type Rival, Rivals, shownQuotes } from './rivals.ts'

const RESTOCK_WEEKDAY = 0
const RESTOCK_HOUR = 11
export const STEPS_AN_HOUR = 2
/** A rival that takes this long to react requotes at the next half hour anyway. */
const HALF_HOUR_MINUTES = 30

type PlaySettings = {
  /** The error of our feed, bps; null = no feed. */
  readonly tauBps: number | null
  /** Returns both sides to target at every update, free of charge, as closed forms of one interval assume. Default no. */
  readonly refillsAtUpdates?: boolean
  /** A treasury instead of the weekly restocking; by default none. */
  readonly refills?: RefillPolicy | null
  /** What each side can pay at the start; by default 15,000 USD worth. */
  readonly opening?: Stock
}

/** Plays a world against a participant: half-hourly decisions, the router, informed takers, restocking. */
export function playWorld(
  world: ScenarioWorld,
  participant: Participant,
  settings: PlaySettings,
): WorldResult {
  return new Play(world, participant, settings).run()
}

/** Returns whether a position far from target is rebalanced now: Mondays at 11:00. */
export function isRestockingHour(hour: number): boolean {
  return dayOfHour(hour) % 7 === RESTOCK_WEEKDAY && hour % HOURS_A_DAY === RESTOCK_HOUR
}

/** Ourselves among the providers that the router may pick. */
type Ours = { readonly isOurs: true; lastFilled: number }

class Play {
  readonly #world: ScenarioWorld
  readonly #participant: Participant
  readonly #tauBps: number | null
  readonly #refillsAtUpdates: boolean
  readonly #refills: Refills | null
  readonly #account: WorldAccount
  readonly #rivals: Rivals
  readonly #us: Ours = { isOurs: true, lastFilled: 0 }
  readonly #providers: readonly (Ours | Rival)[]
  #quotes: Quotes = { bidBps: null, askBps: null }
  #news: WorldNews[] = []
  #midBps = 0
  #midHour = -17
  #fillNumber = 0
  #outage = 0
  #step = 0
  /** When the undercutting rival answers our last decision; Infinity = at the next half hour. */
  #reactAt = Infinity
  #isRouted = true
  /** By half hour: the best spreads of the others. */
  readonly #others: Quotes[] = []
  readonly #void: () => boolean
  /** Fills to take back at the next half hour. */
  #voided: WorldFill[] = []

  constructor(world: ScenarioWorld, participant: Participant, settings: PlaySettings) {
    const { tauBps, refillsAtUpdates = false, refills = null } = settings
    this.#account = new WorldAccount(settings.opening)
    this.#world = world
    this.#participant = participant
    this.#tauBps = tauBps
    this.#refillsAtUpdates = refillsAtUpdates
    this.#refills = refills === null ? null : new Refills(refills, world.seed)
    const random = seededRandom(world.seed, 'void fills')
    const { voidShare } = world.scenario.terms
    this.#void = () => voidShare > 0 && random() < voidShare
    this.#rivals = new Rivals(world)
    this.#providers = [this.#us, ...this.#rivals.all]
  }

  run(): WorldResult {
    const { days, updates, retail, looks } = this.#world
    const steps = days * HOURS_A_DAY * STEPS_AN_HOUR
    const at = { update: 0, retail: 0, look: 0 }
    for (let step = 0; step < steps; step++) {
      const hour = step / STEPS_AN_HOUR
      this.#halfHour(step, hour)
      const until = hour + 1 / STEPS_AN_HOUR
      for (;;) {
        const update = updates[at.update]?.hour ?? Infinity
        const customer = retail[at.retail]?.hour ?? Infinity
        const look = looks[at.look]?.hour ?? Infinity
        const next = Math.min(update, customer, look, this.#reactAt)
        if (next >= until) break
        if (next === this.#reactAt) this.#react()
        else if (next === update) this.#update(at.update++)
        else if (next === customer) this.#customer(retail[at.retail++] as Retail)
        else this.#look(looks[at.look++] as Look)
      }
      const isDayOver = (step + 1) % (HOURS_A_DAY * STEPS_AN_HOUR) === 0
      if (isDayOver) this.#account.endDay(this.#world.rate[dayOfHour(hour) * HOURS_A_DAY + HOURS_A_DAY] ?? 0)
    }
    const end = this.#world.rate[days * HOURS_A_DAY] ?? 0
    this.#account.mark(end)
    return this.#account.result(end)
  }

  #rateAt(hour: number): number {
    return this.#world.rate[Math.floor(hour)] ?? 0
  }

  #halfHour(step: number, hour: number): void {
    const rate = this.#rateAt(hour)
    this.#step = step
    this.#isRouted = !this.#world.suspensions.some(({ from, to }) => hour >= from && hour < to)
    for (const fill of this.#voided.splice(0)) this.#takeBack(fill, hour)
    this.#account.mark(rate)
    const usd =
      this.#refills === null ? this.#weekly(hour, rate) : this.#refills.look(hour, this.#account, rate)
    if (usd !== null) this.#news.push({ what: 'restocking', hour, usd, midBps: this.#midBps })
    this.#reactAt = Infinity
    this.#rivals.requote(step, rate - this.#midBps, this.#shown())
    this.#others.push({ bidBps: this.#rivals.best('bid'), askBps: this.#rivals.best('ask') })
    this.#decide(hour, 'clock', this.#tauBps === null ? null : this.#reading(step, this.#tauBps))
  }

  #shown(): Quotes {
    return shownQuotes(this.#quotes, (side) => (this.#isRouted ? this.#account.stock(side) : 0))
  }

  #react(): void {
    this.#reactAt = Infinity
    this.#rivals.react(this.#step, this.#shown())
  }

  /** Returns what the feed shows; null = it is down. `statedBps` is its error unless the scenario has another. */
  #reading(step: number, statedBps: number): number | null {
    const { feed, scenario } = this.#world
    if (feed.isUp[step] !== 1) return null
    const { errorBps, biasBps, copyShare } = scenario.feed
    const shown = feed.shown[step] ?? step
    const rate = (1 - copyShare) * this.#rateAt(shown / STEPS_AN_HOUR) + copyShare * this.#midBps
    return rate + (errorBps ?? statedBps) * (feed.error[shown] ?? 0) + biasBps
  }

  #weekly(hour: number, rate: number): number | null {
    const { isWeekly, belowShare, costBps } = this.#world.scenario.restocking
    const isDue = isWeekly && isRestockingHour(hour) && this.#account.needsRestocking(belowShare)
    return isDue ? this.#account.restock(rate, costBps) : null
  }

  #update(index: number): void {
    const update = this.#world.updates[index]
    if (update === undefined) return
    this.#midBps = update.bps
    this.#midHour = update.hour
    if (this.#refillsAtUpdates) this.#account.restock(this.#rateAt(update.hour), 0)
    this.#decide(update.hour, 'update', null)
  }

  #decide(hour: number, cause: WorldView['cause'], feedBps: number | null): void {
    if (this.#isOut(hour)) return
    const news = this.#news
    if (news.length > 0) this.#news = []
    this.#quotes = this.#participant({
      hour,
      cause,
      midBps: this.#midBps,
      midHour: this.#midHour,
      feedBps,
      stock: { bid: this.#account.stock('bid'), ask: this.#account.stock('ask') },
      others: this.#seen(),
      isRouted: this.#isRouted,
      news,
    })
    const { reactionMinutes } = this.#world.scenario.rivals
    if (reactionMinutes < HALF_HOUR_MINUTES) this.#reactAt = hour + reactionMinutes / 60
  }

  /** Returns the best spreads of the others as probes show them. */
  #seen(): Quotes {
    const late = Math.round(this.#world.scenario.stated.rivalsLateHours * STEPS_AN_HOUR)
    if (late > 0) return this.#others[Math.max(0, this.#step - late)] ?? { bidBps: null, askBps: null }
    return { bidBps: this.#rivals.best('bid'), askBps: this.#rivals.best('ask') }
  }

  #isOut(hour: number): boolean {
    const { outages } = this.#world
    // Outages may overlap: skip those that have ended.
    while ((outages[this.#outage]?.to ?? Infinity) <= hour) this.#outage += 1
    return (outages[this.#outage]?.from ?? Infinity) <= hour
  }

  /** The router picks one provider for the whole ticket; a customer who finds it too expensive leaves. */
  #customer({ hour, side, usd, reservationBps, knows }: Retail): void {
    const { terms } = this.#world.scenario
    const chosen = pickWithinTolerance(
      this.#providers,
      terms.toleranceBps,
      (provider) => {
        if (this.#stockOf(provider, side, hour) < usd) return null
        return this.#quoteOf(provider, side)
      },
      ({ lastFilled }) => lastFilled,
    )
    const bps = chosen === null ? null : this.#quoteOf(chosen, side)
    if (chosen === null || bps === null) return
    const gap = knows ? this.#rateAt(hour) - this.#midBps : 0
    const costBps = bps + terms.slippageBps + this.#feeAt(hour)
    if (costBps > (side === 'bid' ? reservationBps + gap : reservationBps - gap)) return
    chosen.lastFilled = ++this.#fillNumber
    if ('isOurs' in chosen) this.#fill(hour, side, usd, bps + terms.slippageBps, 'retail')
  }

  /** An informed taker takes whole stocks from the cheapest provider upward while the price is below its limit. */
  #look(look: Look): void {
    const { hour } = look
    const { side, limitBps: grossBps } = informedTake(this.#world, look, this.#rateAt(hour) - this.#midBps)
    const limitBps = grossBps - this.#feeAt(hour)
    let left = LOOK_USD
    const byPrice = this.#providers
      .map((provider) => ({ provider, bps: this.#quoteOf(provider, side) ?? Infinity }))
      .filter(({ bps }) => bps < limitBps)
      .sort((a, b) => a.bps - b.bps)
    for (const { provider, bps } of byPrice) {
      const usd = Math.min(left, this.#stockOf(provider, side, hour))
      if (usd <= 0) continue
      left -= usd
      provider.lastFilled = ++this.#fillNumber
      if ('isOurs' in provider) this.#fill(hour, side, usd, bps, 'informed')
      else this.#rivals.take(provider, side, hour, usd)
    }
  }

  /** Returns what takers pay beyond today's protocol fee, bps. */
  #feeAt(hour: number): number {
    const { feeBps, feeFromDay } = this.#world.scenario.terms
    return dayOfHour(hour) >= feeFromDay ? feeBps : 0
  }

  #fill(hour: number, side: TakerSide, usd: number, bps: number, by: 'retail' | 'informed'): void {
    const midBps = this.#midBps
    const fill = { what: 'fill', hour, side, usd, bps, midBps, by } as const
    this.#account.fill(side, usd, bps, midBps, this.#rateAt(hour), by)
    this.#news.push(fill)
    if (this.#void()) this.#voided.push(fill)
  }

  /** Reverses a fill at its own price, as far as we still hold what it brought. */
  #takeBack({ side: filled, usd: all, bps, midBps, by }: WorldFill, hour: number): void {
    const side = filled === 'bid' ? 'ask' : 'bid'
    const usd = Math.min(all, Math.max(0, this.#account.stock(side)))
    if (usd <= 0) return
    this.#account.fill(side, usd, -bps, midBps, this.#rateAt(hour), by)
    this.#news.push({ what: 'fill', hour, side, usd, bps: -bps, midBps, by })
  }

  #quoteOf(provider: Ours | Rival, side: TakerSide): number | null {
    if (!('isOurs' in provider)) return provider.quote[side]
    if (!this.#isRouted) return null
    return side === 'bid' ? this.#quotes.bidBps : this.#quotes.askBps
  }

  #stockOf(provider: Ours | Rival, side: TakerSide, hour: number): number {
    return 'isOurs' in provider ? this.#account.stock(side) : this.#rivals.stock(provider, side, hour)
  }
}
