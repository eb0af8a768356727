import { decodeJson, encodeJson } from '../../../src/base/codec.ts'
import type { Ms } from '../../../src/base/time.ts'
import type { LoadedTreasury } from '../../../src/daemon/config/load/treasury.ts'
import { Secret } from '../../../src/daemon/config/source/secret.ts'
import { createTreasuryPerformer } from '../../../src/daemon/runtime/treasury/treasury-performer.ts'
import type { VenueModel } from '../../../src/simulator/sandbox/model.ts'
import { wholeIdentity } from '../../../src/treasury/books/identity.ts'
import { createTreasury } from '../../../src/treasury/core/treasury.ts'
import type { TreasuryState } from '../../../src/treasury/state.ts'
import type { TreasuryConfig } from '../../../src/treasury/model/config.ts'
import type { TreasuryEffect } from '../../../src/treasury/model/effect.ts'
import type { TreasuryEvent, TreasuryOrder } from '../../../src/treasury/model/event.ts'
import type { Intent } from '../../../src/treasury/model/intent.ts'
import { planPayout } from '../../../src/treasury/policy/plan-payout.ts'
import { plan } from '../../../src/treasury/policy/plan.ts'
import { readDelivery } from '../../../src/treasury/webhooks/delivery.ts'
import type { Dice } from '../dice.ts'
import { VENUE } from '../../support/treasury-harness.ts'
import { violated } from '../step.ts'
import { heldOf, type SimulatedPosition } from './position.ts'
import { createVenueClient, type VenueClientParts } from './venue-client.ts'
import { mustBeAgreed, type TreasuryWatch } from './watch.ts'

type Untimed = TreasuryEvent extends infer E ? (E extends TreasuryEvent ? Omit<E, 't'> : never) : never

export type TreasuryDaemonParts = {
  readonly model: VenueModel
  readonly position: SimulatedPosition
  readonly watch: TreasuryWatch
  readonly dice: Dice
  readonly config: TreasuryConfig
  readonly now: () => Ms
  readonly bug: TreasuryBug
}

/** A bug in the place of the product's own ones: what it does has to be found. */
export type TreasuryBug = {
  /** What the core learns of the outcome of an effect. */
  readonly event?: (event: TreasuryEvent) => readonly TreasuryEvent[]
  /** What becomes of the state. */
  readonly state?: (state: TreasuryState) => void
  /** The configuration that the core has, where the watch has another one. */
  readonly config?: (config: TreasuryConfig) => TreasuryConfig
  /** What becomes of an answer on its way. */
  readonly spoil?: VenueClientParts['spoil']
  /** The journal that a new process finds. */
  readonly journal?: (events: TreasuryEvent[]) => TreasuryEvent[]
  readonly sendsTwice?: boolean
  /** What the venue does on its own with each sending. */
  readonly venue?: (model: VenueModel) => void
}

/** One restart in so many reads the journal from text and compares the whole state: it takes longer than all the rest. */
const CODED_EVERY = 20

/** The treasury over all its lives: the real core, policy and performer on one journal, in virtual time. */
export class TreasuryDaemon {
  /** The chance, of each effect, that the process ends before it is performed or before its outcome is in the journal. */
  crashes = 0
  killed = 0
  restarts = 0
  isOver = false
  readonly #parts: TreasuryDaemonParts
  readonly #perform: ReturnType<typeof createTreasuryPerformer>
  readonly #config: TreasuryConfig
  #events: TreasuryEvent[] = []
  #treasury = createTreasury()
  #effects: TreasuryEffect[] = []
  #ids = 0
  #broken: Error | null = null
  /** Our clock less the venue's. */
  skewMs = 0

  constructor(parts: TreasuryDaemonParts) {
    this.#parts = parts
    const { model, position, watch, bug } = parts
    const config = bug.config?.(parts.config) ?? parts.config
    this.#config = config
    const apiKey = model.options.partner.apiKey
    const loaded = {
      core: config,
      partner: { baseUrl: 'https://venue.invalid', allowPlainHttp: false, requestTimeoutMs: null },
      apiKey: new Secret(apiKey),
      lpWallet: model.options.walletAddress.toLowerCase(),
      phone: '255754000111',
      webhooks: null,
    } as LoadedTreasury
    const now = () => this.now()
    this.#perform = createTreasuryPerformer({
      client: createVenueClient({
        model,
        now: parts.now,
        times: bug.sendsTwice === true ? 2 : 1,
        ...(bug.spoil !== undefined && { spoil: bug.spoil }),
        onSending: (sending) => {
          bug.venue?.(model)
          const done = this.#watched(() => watch.onSending(this.state, sending, this.now()))
          return () => this.#watched(done)
        },
      }),
      config: () => loaded,
      state: () => this.#treasury.state(),
      position,
      flow: { record: () => undefined, take: () => this.#takeFlow() },
      clock: { now },
      webhooks: () => this.#events.filter((event) => event.type === 'webhookSeen'),
      chain: null,
      // Whatever the position has not done at once is silent: the world has no timers.
      signal: AbortSignal.abort(),
      plan: (readAt) => this.#plan(readAt),
      // The performer continues after whatever was thrown; nothing should have been.
      log: (words) => {
        if (/^\w+ failed: /.test(words)) this.#broken ??= new Error(words)
      },
    })
    this.give({ type: 'configured', config, policyHash: 'hash', author: null })
    this.give({ type: 'restarted', version: '1', isRestored: false, venue: VENUE })
  }

  get state(): TreasuryState {
    return this.#treasury.state() ?? violated('the treasury is not configured')
  }

  /** Every event so far, of all its lives. */
  journal(): readonly TreasuryEvent[] {
    return this.#events
  }

  /** Intents that have not ended. */
  open(): readonly Intent[] {
    return Object.values(this.state.intents).filter(({ endedAt }) => endedAt === null)
  }

  now(): Ms {
    return this.#parts.now() + this.skewMs
  }

  give(event: Untimed): void {
    const received = { ...event, t: this.now() } as TreasuryEvent
    for (const whole of this.#parts.bug.event?.(received) ?? [received]) this.#take(whole)
  }

  #take(whole: TreasuryEvent): void {
    this.#events.push(whole)
    const { effects } = this.#treasury.process(whole)
    const { state } = this
    this.#parts.bug.state?.(state)
    for (const effect of effects) {
      if (effect.type !== 'transmit' && effect.type !== 'position') continue
      const intent = state.intents[effect.intent] ?? violated(`${effect.intent} is not known`)
      if (state.stop !== null || state.unconfirmed !== null || intent.isHeld)
        violated(`${intent.id} is sent though nothing may be`)
      mustBeAgreed(state, intent)
    }
    this.#effects.push(...effects)
    const identity = wholeIdentity(state.books, state.mid)
    if (identity !== null && (identity.tzs.residual !== 0n || identity.usd.residual !== 0n))
      violated('the identity of the desk has a residual')
  }

  order(order: TreasuryOrder, by: string): void {
    const { watch } = this.#parts
    if (order.name === 'stop' || order.name === 'resume') watch.isStopped = order.name === 'stop'
    this.give({ type: 'ordered', order, by, who: by, planned: null, refusal: null })
  }

  payOut(payee: string, amount: bigint, by: string): void {
    const input = this.#treasury.planInput(this.now())
    if (input === null) return
    const order = { name: 'payout', payee, asset: 'NTZS', amount, why: 'rent' } as const
    const made = planPayout(input, order)
    const planned = made.ok ? { id: this.#id(), step: made.value } : null
    this.give({ type: 'ordered', order, by, who: by, planned, refusal: made.ok ? null : made.error })
  }

  webhook(text: string): void {
    this.give({ type: 'webhookSeen', ...readDelivery(Buffer.from(text)) })
  }

  /** Performs what is due until nothing is. */
  async work(): Promise<void> {
    for (;;) {
      const effect = this.#effects.shift()
      if (effect === undefined) return
      if (effect.type === 'wake') continue
      const dies = this.#parts.dice.happens(this.crashes)
      const isBefore = this.#parts.dice.happens(0.3)
      if (dies) this.killed += 1
      if (dies && isBefore) this.restart(false)
      else {
        const events = await this.#perform(effect)
        if (this.#broken !== null) throw this.#broken
        if (dies) this.restart(false)
        else for (const { t: _t, ...event } of events) this.give(event)
      }
    }
  }

  /** The process ends, with all that it was doing, and the next one folds the journal. */
  restart(isRestored: boolean): void {
    this.restarts += 1
    const isWritten = this.restarts % CODED_EVERY === 1
    const lost = isWritten ? encodeJson(this.#treasury.state()) : null
    this.#effects = []
    this.#treasury = createTreasury()
    this.#events = this.#parts.bug.journal?.(this.#events) ?? this.#events
    if (isWritten) this.#events = decodeJson(encodeJson(this.#events)) as TreasuryEvent[]
    for (const event of this.#events) this.#treasury.process(event)
    if (lost !== null && encodeJson(this.#treasury.state()) !== lost)
      violated('the fold of the journal is not the state that was lost')
    this.give({ type: 'restarted', version: '1', isRestored, venue: VENUE })
    this.give({ type: 'configured', config: this.#config, policyHash: 'hash', author: null })
  }

  /** The performer makes a failed effect of whatever is thrown while it sends, as it has to; what the watch saw is thrown again. */
  #watched<Value>(look: () => Value): Value {
    try {
      return look()
    } catch (error) {
      this.#broken ??= error as Error
      throw error
    }
  }

  #takeFlow(): { readonly flow: ReturnType<typeof heldOf>; readonly upTo: number } | null {
    const known = this.#events.filter((event) => event.type === 'flowSeen')
    const traded = this.#parts.position.traded()
    const flow = heldOf((asset) => known.reduce((left, event) => left - event.flow[asset], traded[asset]))
    return Object.values(flow).every((amount) => amount === 0n) ? null : { flow, upTo: 0 }
  }

  /** As the shell does: balances from before a movement plan nothing. */
  #plan(readAt: Ms): TreasuryEvent | null {
    if (this.isOver) return null
    const legs = Object.values(this.state.intents).flatMap((intent) => intent.legs)
    if (legs.some(({ sentAt, endedAt }) => (endedAt ?? sentAt ?? 0) >= readAt)) return null
    const input = this.#treasury.planInput(this.now())
    const steps = input === null ? [] : plan(input).steps
    if (steps.length === 0) return null
    return { type: 'planned', t: this.now(), steps: steps.map((step) => ({ id: this.#id(), step })) }
  }

  #id(): string {
    this.#ids += 1
    return `intent-${this.#ids}`
  }
}
