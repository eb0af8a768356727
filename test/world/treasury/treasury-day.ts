import { decodeJson, encodeJson } from '../../../src/base/codec.ts'
import { type Random, seededRandom } from '../../../src/base/random.ts'
import { RATE_ONE } from '../../../src/base/money/rate.ts'
import { envelopeText } from '../../../src/treasury/approvals/envelope.ts'
import { wholeIdentity } from '../../../src/treasury/books/identity.ts'
import { createTreasury } from '../../../src/treasury/core/treasury.ts'
import type { TreasuryState } from '../../../src/treasury/state.ts'
import { KEYED_ROUTES } from '../../../src/treasury/model/keys.ts'
import type { TreasuryEffect } from '../../../src/treasury/model/effect.ts'
import type { TreasuryEvent, TreasuryOrder } from '../../../src/treasury/model/event.ts'
import { type Holdings, TREASURY_ASSETS } from '../../../src/treasury/model/place.ts'
import { plan } from '../../../src/treasury/policy/plan.ts'
import { planPayout } from '../../../src/treasury/policy/plan-payout.ts'
import { CALM, type Faults, PartnerWorld, type Unplaced } from '../../property/treasury/partner-world.ts'
import { holdingsOf, START, treasuryConfig, TZS, USD, VENUE } from '../../support/treasury-harness.ts'

const MINUTE_MS = 60_000
const STEP_MINUTES = 20
const DAY_MS = 86_400_000
const PEOPLE = ['anna', 'bertha', 'carla']
const DAILY_CAP = 4_000_000n * TZS

/**
 * One seeded day of a treasury with its own policy: takers move the position, rails fail, lie and go down, the process
 * ends and comes back, people approve, stop, hold and order. Everything is drawn from the seed.
 */
export class TreasuryDay {
  readonly events: TreasuryEvent[] = []
  readonly world: PartnerWorld
  /** Whether the day ended without a claim, so that books and balances were compared. */
  isCompared = false
  readonly #random: Random
  readonly #seed: number
  #treasury = createTreasury()
  #now = START
  #effects: TreasuryEffect[] = []
  #ids = 0
  #traded = { NTZS: 0n, USDC: 0n, USDT: 0n }
  #mid = 2_500n * RATE_ONE
  #readAt = START
  #isDown = false
  #isOver = false

  constructor(seed: number) {
    this.#seed = seed
    this.#random = seededRandom(seed, 'day')
    const faults: Faults = {
      lost: 0.2 * this.#random() ** 2,
      refused: 0.2 * this.#random() ** 2,
      reverted: 0.2 * this.#random() ** 2,
      reconcileRequired: 0.1 * this.#random() ** 2,
      stuck: 0.8 * this.#random(),
      doubled: 0.2 * this.#random(),
      outside: 0.1 * this.#random(),
      unbuilt: this.#random() ** 8,
      bounced: 0.1 * this.#random(),
      kept: this.#random(),
    }
    this.world = new PartnerWorld(
      seed,
      holdingsOf({ float: { NTZS: 0n, USDC: 1_000n * USD, USDT: 0n } }),
      faults,
      this.#isKeyless(),
    )
    this.#configure()
    this.#start()
  }

  get state(): TreasuryState {
    const state = this.#treasury.state()
    if (state === null) throw new Error('not configured')
    return state
  }

  /** Lives the day, then lets everything come to its end, and checks what must hold. */
  live(): void {
    for (let minute = 0; minute < 24 * 60; minute += STEP_MINUTES) {
      this.#happen()
      this.#work()
      this.#pass(STEP_MINUTES * MINUTE_MS)
    }
    this.#settle()
    this.#checkWorld()
    this.#checkBalances()
  }

  /** Half of the venues take no notice of keys, and the configuration names no route. */
  #isKeyless(): boolean {
    return this.#seed % 2 !== 0
  }

  #start(): void {
    this.#give({ type: 'restarted', version: '1', isRestored: false, venue: VENUE })
  }

  #configure(): void {
    const band = (target: bigint) => ({ target, refillBelow: target / 4n, skimAbove: target * 2n })
    const cap = {
      route: 'payout',
      destination: null,
      asset: 'NTZS',
      perDay: DAILY_CAP,
      perMonth: null,
    } as const
    const config = treasuryConfig({
      policy: {
        bands: { NTZS: band(40_000_000n * TZS), USDC: band(20_000n * USD) },
        caps: [cap],
        profitsTo: 'landlord',
      },
      pollEveryMs: STEP_MINUTES * MINUTE_MS,
      ...(this.#isKeyless() ? {} : { keysHonoured: KEYED_ROUTES }),
    })
    this.#give({ type: 'configured', config, policyHash: 'hash', author: null })
  }

  #give(event: Unplaced): void {
    const whole = { ...event, t: this.#now } as TreasuryEvent
    this.events.push(whole)
    const { effects } = this.#treasury.process(whole)
    for (const effect of effects) this.#checkSending(effect)
    this.#effects.push(...effects)
    const identity = wholeIdentity(this.state.books, this.#mid)
    if (identity !== null)
      this.#must(identity.tzs.residual === 0n && identity.usd.residual === 0n, 'the identity has a residual')
  }

  #happen(): void {
    const roll = this.#random()
    this.#mid += BigInt(Math.round((this.#random() - 0.5) * 100)) * 10n ** 16n
    if (roll < 0.5) this.#trade()
    else if (roll < 0.52) this.#restart()
    else if (roll < 0.6) this.#agree()
    else if (roll < 0.62) this.#order({ name: 'stop', why: 'strange' })
    else if (roll < 0.67) this.#order({ name: 'resume', why: 'fine' })
    else if (roll < 0.69) this.#give({ type: 'skimDue' })
    else if (roll < 0.71) this.#payOut()
    else if (roll < 0.73) this.#meddle()
    else if (roll < 0.76) this.#isDown = !this.#isDown
  }

  /** Takers bring dollars for shillings, most of the time: the shillings run dry. */
  #trade(): void {
    const dollars = BigInt(Math.round((this.#random() - 0.3) * 3_000)) * USD
    const shillings = (-dollars * 10n ** 12n * this.#mid) / RATE_ONE
    const pool = this.world.held('pool')
    if (pool.USDC + dollars < 0n || pool.NTZS + shillings < 0n) return
    pool.USDC += dollars
    pool.NTZS += shillings
    this.#traded.USDC += dollars
    this.#traded.NTZS += shillings
  }

  #restart(): void {
    this.#effects = []
    this.#treasury = createTreasury()
    for (const event of decodeJson(encodeJson(this.events)) as TreasuryEvent[]) this.#treasury.process(event)
    const isRestored = this.#random() < 0.2
    this.#give({ type: 'restarted', version: '1', isRestored, venue: VENUE })
    if (isRestored) this.#order({ name: 'confirmBalances', why: 'compared' })
    this.#configure()
  }

  #agree(): void {
    for (const intent of Object.values(this.state.intents))
      for (const by of PEOPLE)
        if (intent.endedAt === null && (intent.isHeld || intent.stage === 'awaiting_approval'))
          this.#order({ name: 'approve', intent: intent.id, envelope: envelopeText(intent.envelope) }, by)
  }

  /** Someone holds or cancels what is open. */
  #meddle(): void {
    const open = Object.values(this.state.intents).filter(({ endedAt }) => endedAt === null)
    const intent = open[Math.floor(this.#random() * open.length)]
    if (intent !== undefined)
      this.#order({ name: this.#random() < 0.5 ? 'hold' : 'cancel', intent: intent.id, why: 'to be sure' })
  }

  #payOut(): void {
    const input = this.#treasury.planInput(this.#now)
    if (input === null) return
    const amount = BigInt(Math.ceil(this.#random() * 3_000)) * 1_000n * TZS
    const made = planPayout(input, { payee: 'landlord', asset: 'NTZS', amount })
    const order = { name: 'payout', payee: 'landlord', asset: 'NTZS', amount, why: 'rent' } as const
    const planned = made.ok ? { id: this.#id(), step: made.value } : null
    const refusal = made.ok ? null : made.error
    this.#give({ type: 'ordered', order, by: 'anna', who: 'anna', planned, refusal })
  }

  #order(order: TreasuryOrder, by = 'anna'): void {
    this.#give({ type: 'ordered', order, by, who: by, planned: null, refusal: null })
  }

  #id(): string {
    this.#ids += 1
    return `intent-${this.#ids}`
  }

  #pass(ms: number): void {
    const until = this.#now + ms
    while (this.state.schedule.wakeAt <= until) {
      this.#now = Math.max(this.#now, this.state.schedule.wakeAt)
      this.#give({ type: 'tick' })
      this.#work()
    }
    this.#now = until
  }

  #work(): void {
    for (let round = 0; round < 50 && this.#effects.length > 0; round++)
      for (const effect of this.#effects.splice(0))
        for (const event of this.#perform(effect)) this.#give(event)
  }

  #perform(effect: TreasuryEffect): readonly Unplaced[] {
    if (effect.type === 'look') return this.#look()
    if (effect.type === 'plan') return this.#plan()
    if (effect.type === 'readSupply') return [{ type: 'supplySeen', supply: 10n ** 27n, onChain: null }]
    if (effect.type === 'reconcile') return [{ type: 'reconcileSeen', difference: 0n, isReconciled: true }]
    if ((effect.type === 'transmit' || effect.type === 'position') && this.state.stop !== null) {
      const { intent, leg, n } = effect
      return [{ type: 'legSilent', intent, leg, n, sent: 'no', words: 'stopped' }]
    }
    return this.world.perform(effect, this.state, this.#now)
  }

  #look(): readonly Unplaced[] {
    this.#readAt = this.#now
    const flow = this.#traded
    this.#traded = { NTZS: 0n, USDC: 0n, USDT: 0n }
    const none = { NTZS: 0n, USDC: 0n, USDT: 0n }
    const holdings: Holdings = {
      pool: { ...this.world.held('pool') },
      lpWallet: none,
      treasury: this.#isDown ? null : { ...this.world.held('treasury') },
      platform: null,
      float: { ...this.world.held('float') },
    }
    const quote = { bidBps: 100, askBps: 100, isActive: true, isHalted: false }
    const failed = { type: 'railFailed', rail: 'treasury', words: 'down' } as const
    return [
      { type: 'flowSeen', flow },
      { type: 'holdingsSeen', holdings, mid: this.#mid, quote },
      ...(this.#isDown ? [failed] : []),
    ]
  }

  #plan(): readonly Unplaced[] {
    const input = this.#treasury.planInput(this.#now)
    // As the shell has it: balances from before a movement would plan it a second time.
    const legs = Object.values(this.state.intents).flatMap((intent) => intent.legs)
    if (legs.some(({ sentAt, endedAt }) => (endedAt ?? sentAt ?? 0) >= this.#readAt)) return []
    const steps = input === null || this.#isOver ? [] : plan(input).steps
    if (steps.length === 0) return []
    return [{ type: 'planned', steps: steps.map((step) => ({ id: this.#id(), step })) }]
  }

  #settle(): void {
    this.world.faults = CALM
    this.#isOver = true
    this.#isDown = false
    this.#order({ name: 'resume', why: 'calm' })
    for (let hours = 0; hours < 10 * 24; hours++) {
      this.#agree()
      this.#giveUp()
      this.#work()
      this.#pass(60 * MINUTE_MS)
      // What ended last has had its readings of the balances.
      const ends = Object.values(this.state.intents).map(({ endedAt }) => endedAt ?? Infinity)
      if (Math.max(...ends, 0) < this.#now - 3 * 60 * MINUTE_MS) return
    }
    const open = Object.values(this.state.intents).filter(({ endedAt }) => endedAt === null)
    this.#must(false, `an intent never ends: ${encodeJson(open)}`)
  }

  /** What waits for funds that will not come is cancelled by a person. */
  #giveUp(): void {
    for (const { id, stage } of Object.values(this.state.intents))
      if (stage === 'waiting_for_funds') this.#order({ name: 'cancel', intent: id, why: 'no funds come' })
  }

  #checkSending(effect: TreasuryEffect): void {
    if (effect.type !== 'transmit' && effect.type !== 'position') return
    const { state } = this
    this.#must(state.stop === null && state.unconfirmed === null, 'sends while stopped or unconfirmed')
    const intent = state.intents[effect.intent]
    this.#must(intent !== undefined && !intent.isHeld, 'sends what is held')
  }

  #checkWorld(): void {
    const places = [...this.world.calls.values()].map(({ place }) => `${place.intent}:${place.leg}`)
    this.#must(new Set(places).size === places.length, 'a leg was executed twice')
    // The cap is of shillings that leave: dollars that are changed into them have one of their own, or none.
    const paid = [...this.world.calls.values()].filter(
      ({ kind, place }) =>
        kind === 'withdrawal' && this.state.intents[place.intent]?.envelope.asset === 'NTZS',
    )
    for (const one of paid) {
      const day = paid.filter(
        ({ at, status }) => status !== 'reverted' && at <= one.at && one.at - at < DAY_MS,
      )
      const sum = day.reduce((all, { spend }) => all + spend, 0n)
      this.#must(sum <= DAILY_CAP, 'the cap of a day is exceeded')
    }
  }

  /** Of every token the books and the world agree; a day with a claim is left to the person who resolves it. */
  #checkBalances(): void {
    const { books, intents } = this.state
    if (Object.values(intents).some(({ legs }) => legs.some(({ stage }) => stage === 'claim'))) return
    this.isCompared = true
    for (const place of ['treasury', 'pool', 'float'] as const)
      for (const asset of TREASURY_ASSETS) {
        const wallet = place === 'pool' ? (books.accounts['lpWallet']?.[asset] ?? 0n) : 0n
        const booked =
          (books.accounts[place]?.[asset] ?? 0n) + wallet + (place === 'pool' ? this.#traded[asset] : 0n)
        this.#must(
          booked === this.world.held(place)[asset],
          `${asset} at ${place}: the books have ${booked}, the world ${this.world.held(place)[asset]}`,
        )
      }
    const unreconciled = books.accounts['unreconciled']
    this.#must(
      unreconciled !== undefined && TREASURY_ASSETS.every((asset) => unreconciled[asset] === 0n),
      `something was booked as unreconciled: ${encodeJson(unreconciled)}`,
    )
  }

  #must(holds: boolean, fault: string): void {
    if (!holds) throw new Error(`seed ${this.#seed}: ${fault}`)
  }
}
