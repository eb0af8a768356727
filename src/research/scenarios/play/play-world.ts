import { pickWithinTolerance } from '../../../core/market/routing.ts'
import { dayOfHour, HOURS_A_DAY } from '../draw/calendar.ts'
import type { Look, Retail, TakerSide } from '../draw/takers.ts'
import type { ScenarioWorld } from '../draw/world.ts'
import { WorldAccount } from './account.ts'
import type { Participant, Quotes, WorldNews, WorldResult, WorldView } from './participant.ts'
import { informedTake, LOOK_USD } from './informed-take.ts'
import { type RefillPolicy, Refills } from './refills.ts'
import { type Rival, Rivals, shownQuotes } from './rivals.ts'

/** Within this many bps of the best the router picks the least recently filled provider. */
const TOLERANCE_BPS = 5
const RESTOCK_WEEKDAY = 0
const RESTOCK_HOUR = 11
export const STEPS_AN_HOUR = 2

type PlaySettings = {
  /** The error of our feed, bps; null = no feed. */
  readonly tauBps: number | null
  /** Returns both sides to target at every update, free of charge, as closed forms of one interval assume. Default no. */
  readonly refillsAtUpdates?: boolean
  /** A treasury instead of the weekly restocking; by default none. */
  readonly refills?: RefillPolicy | null
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
  readonly #account = new WorldAccount()
  readonly #rivals: Rivals
  readonly #us: Ours = { isOurs: true, lastFilled: 0 }
  readonly #providers: readonly (Ours | Rival)[]
  #quotes: Quotes = { bidBps: null, askBps: null }
  #news: WorldNews[] = []
  #midBps = 0
  #midHour = -17
  #fillNumber = 0
  #outage = 0

  constructor(world: ScenarioWorld, participant: Participant, settings: PlaySettings) {
    const { tauBps, refillsAtUpdates = false, refills = null } = settings
    this.#world = world
    this.#participant = participant
    this.#tauBps = tauBps
    this.#refillsAtUpdates = refillsAtUpdates
    this.#refills = refills === null ? null : new Refills(refills, world.seed)
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
        const next = Math.min(update, customer, look)
        if (next >= until) break
        if (next === update) this.#update(at.update++)
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
    this.#account.mark(rate)
    const usd =
      this.#refills === null ? this.#weekly(hour, rate) : this.#refills.look(hour, this.#account, rate)
    if (usd !== null) this.#news.push({ what: 'restocking', hour, usd, midBps: this.#midBps })
    const shown = shownQuotes(this.#quotes, (side) => this.#account.stock(side))
    this.#rivals.requote(step, rate - this.#midBps, shown)
    const isUp = this.#tauBps !== null && this.#world.feed.isUp[step] === 1
    const feedBps = isUp ? rate + (this.#tauBps ?? 0) * (this.#world.feed.error[step] ?? 0) : null
    this.#decide(hour, 'clock', feedBps)
  }

  #weekly(hour: number, rate: number): number | null {
    return isRestockingHour(hour) && this.#account.needsRestocking() ? this.#account.restock(rate) : null
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
      others: { bidBps: this.#rivals.best('bid'), askBps: this.#rivals.best('ask') },
      news,
    })
  }

  #isOut(hour: number): boolean {
    const { outages } = this.#world
    // Outages may overlap: skip those that have ended.
    while ((outages[this.#outage]?.to ?? Infinity) <= hour) this.#outage += 1
    return (outages[this.#outage]?.from ?? Infinity) <= hour
  }

  /** The router picks one provider for the whole ticket; a customer who finds it too expensive leaves. */
  #customer({ hour, side, usd, reservationBps, knows }: Retail): void {
    const chosen = pickWithinTolerance(
      this.#providers,
      TOLERANCE_BPS,
      (provider) => {
        if (this.#stockOf(provider, side, hour) < usd) return null
        return this.#quoteOf(provider, side)
      },
      ({ lastFilled }) => lastFilled,
    )
    const bps = chosen === null ? null : this.#quoteOf(chosen, side)
    if (chosen === null || bps === null) return
    const gap = knows ? this.#rateAt(hour) - this.#midBps : 0
    if (bps > (side === 'bid' ? reservationBps + gap : reservationBps - gap)) return
    chosen.lastFilled = ++this.#fillNumber
    if ('isOurs' in chosen) this.#fill(hour, side, usd, bps, 'retail')
  }

  /** An informed taker takes whole stocks from the cheapest provider upward while the price is below its limit. */
  #look(look: Look): void {
    const { hour } = look
    const { side, limitBps } = informedTake(this.#world, look, this.#rateAt(hour) - this.#midBps)
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

  #fill(hour: number, side: TakerSide, usd: number, bps: number, by: 'retail' | 'informed'): void {
    const midBps = this.#midBps
    this.#account.fill(side, usd, bps, midBps, this.#rateAt(hour), by)
    this.#news.push({ what: 'fill', hour, side, usd, bps, midBps, by })
  }

  #quoteOf(provider: Ours | Rival, side: TakerSide): number | null {
    if (!('isOurs' in provider)) return provider.quote[side]
    return side === 'bid' ? this.#quotes.bidBps : this.#quotes.askBps
  }

  #stockOf(provider: Ours | Rival, side: TakerSide, hour: number): number {
    return 'isOurs' in provider ? this.#account.stock(side) : this.#rivals.stock(provider, side, hour)
  }
}
