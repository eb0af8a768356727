import type { Ms } from '../../src/base/time.ts'
import { RATE_ONE } from '../../src/base/money/rate.ts'
import { createTreasury, type Treasury } from '../../src/treasury/core/treasury.ts'
import type { TreasuryState } from '../../src/treasury/state.ts'
import type { TreasuryConfig } from '../../src/treasury/model/config.ts'
import type { TreasuryEffect } from '../../src/treasury/model/effect.ts'
import type { PlannedStep, TreasuryEvent, TreasuryOrder } from '../../src/treasury/model/event.ts'
import type { Intent, LegQuote } from '../../src/treasury/model/intent.ts'
import type { TreasuryObservation } from '../../src/treasury/model/observation.ts'
import type { Holdings } from '../../src/treasury/model/place.ts'
import { envelopeText } from '../../src/treasury/approvals/envelope.ts'
import type { BankFormats } from '../../src/treasury/statement/bank-format.ts'
import type { PlannedIntent, PlannedLeg } from '../../src/treasury/model/plan-types.ts'
import { plan } from '../../src/treasury/policy/plan.ts'
import type { TreasuryReading } from '../../src/daemon/view/treasury-reading.ts'

export const TZS = 10n ** 18n
export const USD = 10n ** 6n
export const START = Date.UTC(2026, 10, 23, 9)
export const MID = 2_500n * RATE_ONE
export const VENUE = 'https://venue.example/api/v1'

export const BANK_FORMATS: BankFormats = {
  crdb: {
    delimiter: ',',
    decimal: '.',
    dates: 'YYYY-MM-DD',
    currency: 'TZS',
    columns: { date: 'Date', debit: 'Debit', credit: 'Credit', text: ['Description'], ignored: [] },
    markers: { debit: [], credit: [] },
    debitsAreNegative: false,
  },
}

type Change = Partial<Omit<TreasuryConfig, 'policy' | 'approval'>> & {
  readonly policy?: Partial<TreasuryConfig['policy']>
  readonly approval?: Partial<TreasuryConfig['approval']>
}

/** A live treasury with two approvers, an admitted payee and a new one, free refills up to 50 M TZS, and no caps. */
export function treasuryConfig({ policy, approval, ...rest }: Change = {}): TreasuryConfig {
  return {
    mode: 'live',
    userId: 'a-user',
    policy: {
      bands: {},
      routes: ['bank-deposit', 'rebalance', 'swap', 'onramp', 'offramp', 'payout'],
      caps: [],
      leadTimeMs: 3_600_000,
      serviceLevel: 0.95,
      smallest: { NTZS: TZS, USDC: USD, USDT: USD },
      profitsTo: null,
      skimCron: null,
      ...policy,
    },
    payees: [
      {
        name: 'landlord',
        to: { kind: 'bank', bankCode: 'CRDB', accountNumber: '0150' },
        isAdmitted: true,
      },
      { name: 'newcomer', to: { kind: 'phone', phoneNumber: '255700000001' }, isAdmitted: false },
    ],
    approval: {
      people: 2,
      coolOffMs: 3_600_000,
      withinMs: 24 * 3_600_000,
      freeRefill: { NTZS: 50_000_000n * TZS, USDC: 20_000n * USD, USDT: 0n },
      ...approval,
    },
    replayWindowMs: 3_600_000,
    pollEveryMs: 30_000,
    supply: { everyMs: 900_000, reconcileEveryMs: 86_400_000, exit: 'alert' },
    calendar: {
      holidays: [],
      confirmedUntil: '2027-12-31',
      eft: { opensMinute: 480, cutOffMinute: 780, mostALot: 20_000_000n * TZS },
      peaks: [],
    },
    ...rest,
  }
}

/** The order of `PAYOUT`. */
export const PAYOUT_ORDER = {
  name: 'payout',
  payee: 'landlord',
  asset: 'NTZS',
  amount: 500_000n * TZS,
  why: 'rent',
} as const

export function holdingsOf(change: Partial<Holdings> = {}): Holdings {
  const none = { NTZS: 0n, USDC: 0n, USDT: 0n }
  return {
    pool: { NTZS: 10_000_000n * TZS, USDC: 20_000n * USD, USDT: 0n },
    lpWallet: none,
    treasury: { NTZS: 60_000_000n * TZS, USDC: 5_000n * USD, USDT: 0n },
    platform: none,
    float: none,
    ...change,
  }
}

export function plannedLeg(
  change: Partial<PlannedLeg> & Pick<PlannedLeg, 'kind' | 'from' | 'to'>,
): PlannedLeg {
  const { asset = 'NTZS', amount = 40_000_000n * TZS } = change
  return { asset, amount, receiveAsset: asset, leastReceived: amount, payee: null, ...change }
}

/** A step whose envelope follows from its legs: what the first one moves, and what the last one brings. */
export function plannedStep(legs: readonly PlannedLeg[], change: Partial<PlannedIntent> = {}): PlannedIntent {
  const [first] = legs
  const last = legs.at(-1)
  if (first === undefined || last === undefined) throw new Error('a step has legs')
  return {
    rule: 'refill',
    asset: 'NTZS',
    direction: 'in',
    route: 'bank-deposit',
    destination: last.payee ?? last.to,
    legs,
    spendAsset: first.asset,
    mostSpent: first.amount,
    receiveAsset: last.receiveAsset,
    leastReceived: last.leastReceived,
    cost: 0n,
    worth: null,
    arrivesAt: START + 3_600_000,
    latestAt: START + 7_200_000,
    failureOdds: 0,
    why: 'the side runs dry',
    ...change,
  }
}

export const REFILL = plannedStep([
  plannedLeg({ kind: 'deposit', from: 'bank', to: 'treasury' }),
  plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet' }),
  plannedLeg({ kind: 'lpActivation', from: 'lpWallet', to: 'pool' }),
])

/** From the treasury's wallet to the position's. */
export const TRANSFER = plannedStep([plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet' })], {
  route: 'rebalance',
})

/** 1,000 USDC for at least 2,400,000 TZS. */
export const SWAP = plannedStep(
  [
    plannedLeg({
      kind: 'swap',
      from: 'treasury',
      to: 'treasury',
      asset: 'USDC',
      amount: 1_000n * USD,
      receiveAsset: 'NTZS',
      leastReceived: 2_400_000n * TZS,
    }),
  ],
  { route: 'swap' },
)

/** A payout of one lot of 500,000 TZS net, with at most 5,000 TZS of fees. */
export const PAYOUT = plannedStep(
  [
    plannedLeg({
      kind: 'withdrawal',
      from: 'treasury',
      to: 'bank',
      amount: 505_000n * TZS,
      leastReceived: 500_000n * TZS,
      payee: 'landlord',
    }),
  ],
  { rule: 'payout', direction: 'out', route: 'payout' },
)

type Unplaced<Type extends TreasuryEvent['type']> = Omit<
  Extract<TreasuryEvent, { readonly type: Type }>,
  't' | 'type' | 'intent' | 'leg'
>

/** One treasury on a clock of the test's: events go in, and what it wanted done is remembered until it is taken. */
export class TreasuryHarness {
  readonly treasury: Treasury = createTreasury()
  readonly events: TreasuryEvent[] = []
  readonly observations: TreasuryObservation[] = []
  now: Ms = START
  effects: TreasuryEffect[] = []
  #keys = 0

  constructor(change: Change = {}) {
    this.configure(change)
    this.give({ type: 'restarted', version: '1.0.0', isRestored: false, venue: VENUE })
    this.give({ type: 'modeSeen', isLive: true })
    this.look()
    this.effects = []
  }

  /** Returns a treasury that has planned a step. */
  static planned(id: string, step: PlannedIntent, change: Change = {}): TreasuryHarness {
    const harness = new TreasuryHarness(change)
    harness.plan(id, step)
    return harness
  }

  /** Returns a treasury that has settled the legs of a step before `leg`, and sends that one. */
  static sending(id: string, step: PlannedIntent, leg = 0): TreasuryHarness {
    const harness = new TreasuryHarness()
    harness.sendLeg(id, step, leg)
    return harness
  }

  /** Returns a treasury of one approver that has sent a payout of 500,000 TZS net, with 3,000 of fees. */
  static payingOut(id: string, quote: Partial<LegQuote> = {}): TreasuryHarness {
    const harness = new TreasuryHarness({ approval: { people: 1, coolOffMs: 0 } })
    harness.order(PAYOUT_ORDER, 'anna', { id, step: PAYOUT })
    harness.quote(id, 0, { spend: 503_000n * TZS, receive: 500_000n * TZS, ...quote })
    harness.prepare(id, 0)
    return harness
  }

  /** What a daemon shows of this treasury, with the plan of this moment. */
  get reading(): TreasuryReading {
    const input = this.treasury.planInput(this.now)
    return {
      now: this.now,
      state: this.state,
      plan: input === null ? null : plan(input),
      webhooks: null,
      bankFormats: BANK_FORMATS,
    }
  }

  get state(): TreasuryState {
    const state = this.treasury.state()
    if (state === null) throw new Error('not configured')
    return state
  }

  give(
    event: TreasuryEvent extends infer E ? (E extends TreasuryEvent ? Omit<E, 't'> : never) : never,
  ): void {
    const whole = { ...event, t: this.now } as TreasuryEvent
    this.events.push(whole)
    const audit = this.treasury.process(whole)
    this.effects.push(...audit.effects)
    this.observations.push(...audit.observations)
  }

  /** Time passes; what becomes due on the way is done at the moments that the treasury asked for. */
  pass(ms: Ms): void {
    const until = this.now + ms
    for (let wakes = 0; wakes < 100_000; wakes++) {
      const { wakeAt } = this.state.schedule
      if (wakeAt > until) break
      this.now = Math.max(this.now, wakeAt)
      this.give({ type: 'tick' })
    }
    this.now = until
    this.give({ type: 'tick' })
  }

  configure(change: Change = {}, policyHash = 'hash-1', author: string | null = null): void {
    this.give({ type: 'configured', config: treasuryConfig(change), policyHash, author })
  }

  look(holdings: Holdings = holdingsOf(), mid: bigint | null = MID): void {
    const quote = { bidBps: 100, askBps: 100, isActive: true, isHalted: false }
    this.give({ type: 'holdingsSeen', holdings, mid, quote })
  }

  plan(id: string, step: PlannedIntent, change: Pick<PlannedStep, 'isNamed'> = {}): Intent {
    this.give({ type: 'planned', steps: [{ id, step, ...change }] })
    return this.intent(id)
  }

  /** The venue names who is registered for the account that the first leg of an intent pays. */
  name(intent: string, name: string | null, note: string | null = null): void {
    const payee = this.intent(intent).legs[0]?.payee ?? ''
    const to = this.state.payees[payee]?.to ?? ''
    this.give({ type: 'payeeNamed', intent, leg: 0, payee, to, name, note })
  }

  intent(id: string): Intent {
    const intent = this.state.intents[id]
    if (intent === undefined) throw new Error(`there is no intent ${id}`)
    return intent
  }

  order(order: TreasuryOrder, by = 'anna', planned: PlannedStep | null = null): string {
    this.give({ type: 'ordered', order, by, who: by, planned, refusal: null })
    const answer = this.observations.findLast(({ type }) => type === 'answered')
    if (answer?.type !== 'answered') throw new Error('no answer')
    return `${answer.accepted ? 'yes' : 'no'}: ${answer.answer}`
  }

  approve(id: string, by: string): string {
    return this.order({ name: 'approve', intent: id, envelope: envelopeText(this.intent(id).envelope) }, by)
  }

  /** Plans a step, settles its legs before `leg`, and sends that one. */
  sendLeg(id: string, step: PlannedIntent, leg = 0): void {
    this.plan(id, step)
    for (let at = 0; at < leg; at++) {
      this.prepare(id, at)
      this.answer(id, at)
    }
    this.prepare(id, leg)
  }

  stages(id: string): readonly string[] {
    return this.intent(id).legs.map(({ stage }) => stage)
  }

  /** A search finds nothing of what a leg sent. */
  findNothing(id: string, leg = 0, words = 'nothing'): void {
    this.give({ type: 'findingSeen', intent: id, leg, n: 1, found: null, words })
  }

  /** A webhook names a resource. */
  hook(resourceId: string | null, reference: string | null): void {
    const hook = { event: 'x', status: 'x', hash: 'h', body: '{}' }
    this.give({ type: 'webhookSeen', ...hook, resourceId, reference })
  }

  /** Effects of a kind since they were last taken. */
  take<Type extends TreasuryEffect['type']>(type: Type): Extract<TreasuryEffect, { readonly type: Type }>[] {
    const isOfType = (effect: TreasuryEffect): effect is Extract<TreasuryEffect, { readonly type: Type }> =>
      effect.type === type
    const taken = this.effects.filter(isOfType)
    this.effects = this.effects.filter((effect) => !isOfType(effect))
    return taken
  }

  quote(intent: string, leg: number, quote: Partial<LegQuote> & Pick<LegQuote, 'spend' | 'receive'>): void {
    const whole = {
      quoteId: 'a-quote',
      expiresAt: this.now + 300_000,
      feeTzs: 0n,
      recipientName: null,
      ...quote,
    }
    this.give({ type: 'quoteSeen', intent, leg, quote: whole })
  }

  prepare(intent: string, leg: number, n = 1): void {
    this.#keys += 1
    const key = `key-${this.#keys}`
    const quoteId = this.intent(intent).legs[leg]?.quote?.quoteId ?? null
    this.give({
      type: 'attemptPrepared',
      intent,
      leg,
      n,
      key,
      body: JSON.stringify({ key, quoteId }),
      block: null,
    })
  }

  answer(intent: string, leg: number, change: Partial<Unplaced<'legAnswered'>> = {}): void {
    this.give({
      type: 'legAnswered',
      intent,
      leg,
      n: 1,
      resourceId: `resource-${leg}`,
      status: 'completed',
      reference: null,
      instructions: null,
      received: null,
      fee: null,
      words: 'completed',
      ...change,
    })
  }

  refuse(intent: string, leg: number, change: Partial<Unplaced<'legRefused'>> = {}): void {
    const refusal = { n: 1, isFirst: true, code: 'invalid_amount', words: 'refused', retry: 'never' as const }
    this.give({ type: 'legRefused', intent, leg, ...refusal, ...change })
  }

  silence(intent: string, leg: number, change: Partial<Unplaced<'legSilent'>> = {}): void {
    this.give({ type: 'legSilent', intent, leg, n: 1, sent: 'maybe', words: 'timed out', ...change })
  }

  see(intent: string, leg: number, change: Partial<Unplaced<'resourceSeen'>> = {}): void {
    const seen = { status: 'completed', received: null, fee: null, words: 'completed', by: 'poll' } as const
    this.give({ type: 'resourceSeen', intent, leg, ...seen, ...change })
  }
}
