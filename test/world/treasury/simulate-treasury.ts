import { encodeJson } from '../../../src/base/codec.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Ms } from '../../../src/base/time.ts'
import type { VenueModel } from '../../../src/simulator/sandbox/model.ts'
import { patchSettings } from '../../../src/simulator/sandbox/partner/control/control.ts'
import type { Intent, LegKind } from '../../../src/treasury/model/intent.ts'
import { TREASURY_ASSETS, type TreasuryAsset } from '../../../src/treasury/model/place.ts'
import { TZS } from '../../support/treasury-harness.ts'
import { createDice } from '../dice.ts'
import { violated } from '../step.ts'
import { type TreasuryBug, TreasuryDaemon } from './daemon.ts'
import { DAILY_CAP, dayConfig, drawTreasuryVenue } from './draw-venue.ts'
import { TreasuryPeople } from './people.ts'
import { SimulatedPosition } from './position.ts'
import { TreasuryTrouble } from './trouble.ts'
import { TreasuryWatch } from './watch.ts'

/** Monday of a pay-week: the hours of the banks are within the day. */
const START_MS = Date.UTC(2026, 10, 23, 5)
const STEP_MS = 10 * MINUTE_MS
const CLAIM_RIPE_MS = 3 * HOUR_MS
const RIPENS: readonly LegKind[] = ['withdrawal', 'swap', 'offramp', 'onramp', 'transfer']
/** Within so many days without faults everything has to come to its end. */
const MOST_CALM_DAYS = 20

/** What has happened in a day. */
export type TreasuryDeeds = {
  readonly sendings: number
  readonly effects: number
  readonly restarts: number
  readonly settled: number
  readonly claims: number
  readonly reverted: number
}

export type TreasuryDayResult = TreasuryDeeds & {
  /** How often an effect ended with its process, and how often the position did not do what it was ordered. */
  readonly killed: number
  readonly refused: number
  /** How often the venue went wrong on purpose, by its own counters. */
  readonly venueFaults: Readonly<Record<string, number>>
}

export type TreasurySettings = {
  /** What befalls the day; everything by default. */
  readonly trouble?: TreasuryTrouble
  /** Until everything heals; a day by default. */
  readonly lengthMs?: Ms
  /** For those who want to see that the invariants find it. */
  readonly bug?: TreasuryBug
  /** Handed out before anything happens, for those who want its journal. */
  readonly onDaemon?: (daemon: TreasuryDaemon) => void
  /** False = the day ends without healing: its venue has lied. */
  readonly heals?: boolean
}

/** One seeded day of the treasury at the simulated venue, and then as long as everything needs to come to its end. */
export async function simulateTreasury(
  seed: number,
  {
    trouble = new TreasuryTrouble(),
    lengthMs = DAY_MS,
    bug = {},
    heals = true,
    onDaemon,
  }: TreasurySettings = {},
): Promise<TreasuryDayResult> {
  const day = new SeededDay(seed, trouble, bug)
  onDaemon?.(day.daemon)
  for (let at = START_MS; at < START_MS + lengthMs; at += STEP_MS) await day.live(at)
  return heals ? day.end() : day.result()
}

class SeededDay {
  readonly #model: VenueModel
  readonly #position: SimulatedPosition
  readonly #watch: TreasuryWatch
  readonly daemon: TreasuryDaemon
  readonly #people: TreasuryPeople
  #now: Ms = START_MS

  constructor(seed: number, trouble: TreasuryTrouble, bug: TreasuryBug) {
    const dice = createDice(seed, 'treasury')
    const mischief = dice.pick([0, 0.1, 0.3])
    const model = drawTreasuryVenue(dice, seed, START_MS, trouble)
    const { partner: world, options } = model
    const partner = world.partners.get(options.partner.apiKey) ?? violated('the venue has no partner')
    const refusals = trouble.chance('position refuses', dice.pick([0, 0.1]))
    const position = new SimulatedPosition(model, dice, refusals)
    const watch = new TreasuryWatch(model, partner, DAILY_CAP)
    const config = dayConfig(partner.ownerId ?? '', STEP_MS, seed)
    const daemon = new TreasuryDaemon({ model, position, watch, dice, config, now: () => this.#now, bug })
    daemon.crashes = trouble.chance('process killed', dice.pick([0, 0.01, 0.03]))
    this.#people = new TreasuryPeople({ daemon, position, model, partner, watch, dice, mischief, trouble })
    this.#model = model
    this.#position = position
    this.#watch = watch
    this.daemon = daemon
  }

  /** Up to `until`: everything at the moment that the treasury asked for, then what people and the venue do. */
  async live(until: Ms): Promise<void> {
    await this.#pass(until)
    this.#people.act()
    // These have come to their end at the venue by then, and a person reads it there.
    this.#people.resolveClaims(
      ({ kind, sentAt }) => RIPENS.includes(kind) && until - (sentAt ?? until) > CLAIM_RIPE_MS,
    )
    await this.daemon.work()
    this.#watch.mustConserve()
  }

  async #pass(until: Ms): Promise<void> {
    for (;;) {
      const wakeAt = this.daemon.state.schedule.wakeAt - this.daemon.skewMs
      if (wakeAt > until) break
      this.#advance(Math.max(this.#now, wakeAt))
      this.daemon.give({ type: 'tick' })
      await this.daemon.work()
    }
    this.#advance(until)
    await this.daemon.work()
    this.#position.sweep()
  }

  /** The venue continues, and what leaves it in the meantime is delivered. */
  #advance(to: Ms): void {
    this.#now = Math.max(this.#now, to)
    this.#model.advanceTo(this.#now)
    for (const { text } of this.#model.partner.outbox.splice(0)) this.daemon.webhook(text)
  }

  /** Calm: everything ends, or is a claim, which a person resolves by what the venue knows; then every unit is counted. */
  async end(): Promise<TreasuryDayResult> {
    this.#model.inject({ faults: { routes: [] }, suspended: true })
    this.#model.partner.nextAnswers.splice(0)
    patchSettings(this.#model.partner, { paysInstructions: true })
    Object.assign(this.daemon, { crashes: 0, isOver: true, skewMs: 0 })
    this.#position.refusals = 0
    const until = this.#now + MOST_CALM_DAYS * DAY_MS
    do {
      this.#people.resume()
      this.#people.agree()
      this.#people.payWhatWaits()
      this.#people.giveUp()
      await this.#pass(this.#now + HOUR_MS)
      this.#people.resolveClaims()
      if (this.#now > until)
        violated(`an intent never ends: ${encodeJson(this.daemon.open().map(describeOpen))}`)
    } while (this.daemon.open().length > 0)
    // A payout that bounced unheard is found by the look of the next day.
    this.#advance(this.#now + DAY_MS + HOUR_MS)
    await this.#pass(this.#now + HOUR_MS)
    this.#watch.mustConserve()
    this.#compare()
    return this.result()
  }

  result(): TreasuryDayResult {
    const intents = Object.values(this.daemon.state.intents)
    return {
      sendings: this.#watch.sendings,
      effects: this.#watch.effects.length,
      restarts: this.daemon.restarts,
      settled: intents.filter(({ stage }) => stage === 'settled').length,
      claims: this.#people.claims,
      reverted: intents.filter(({ stage }) => stage === 'reverted' || stage === 'reversed').length,
      killed: this.daemon.killed,
      refused: this.#position.refused,
      venueFaults: this.#model.state.counters,
    }
  }

  /** Place by place and token by token, the books and the venue agree. */
  #compare(): void {
    const { books } = this.daemon.state
    const pool = this.#position.truth()
    const untold = this.#position.untold()
    const [treasury, float] = [this.#watch.wallet(), this.#watch.float()]
    for (const asset of TREASURY_ASSETS) {
      const booked = (place: string) => books.accounts[place]?.[asset] ?? 0n
      const pairs = [
        ['pool', booked('pool') + booked('lpWallet'), pool[asset] - untold[asset]],
        ['treasury', booked('treasury'), wholeShillings(asset, treasury[asset])],
        ['float', booked('float'), float[asset]],
        // What is left of a swap below a shilling, where something else differed in the same hour.
        ['unreconciled', wholeShillings(asset, booked('unreconciled')), 0n],
      ] as const
      for (const [place, has, is] of pairs)
        if (has !== is) violated(`${asset} at ${place}: the books have ${has}, the venue ${is}`)
    }
    const transit = Object.keys(books.accounts).filter((account) => account.includes(':'))
    if (transit.length > 0) violated(`something is still in ${transit.join(', ')}`)
  }
}

/** As the API shows the wallet of a user. */
function wholeShillings(asset: TreasuryAsset, amount: bigint): bigint {
  return asset === 'NTZS' ? amount - (amount % TZS) : amount
}

/** What an intent waits for: the leg that has not ended. */
function describeOpen({ id, route, stage, envelope, legs }: Intent): object {
  return { id, route, stage, envelope, leg: legs.find(({ endedAt }) => endedAt === null), of: legs.length }
}
