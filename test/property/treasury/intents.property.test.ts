import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeJson, encodeJson } from '../../../src/base/codec.ts'
import { agreedBy, envelopeText } from '../../../src/treasury/approvals/envelope.ts'
import { wholeIdentity } from '../../../src/treasury/books/identity.ts'
import { createTreasury } from '../../../src/treasury/core/treasury.ts'
import type { TreasuryState } from '../../../src/treasury/core/state.ts'
import type { TreasuryEffect } from '../../../src/treasury/model/effect.ts'
import type { TreasuryEvent } from '../../../src/treasury/model/event.ts'
import {
  MID,
  plannedLeg,
  plannedStep,
  START,
  treasuryConfig,
  TZS,
  holdingsOf,
} from '../../support/treasury-harness.ts'
import type { PlannedIntent } from '../../../src/treasury/policy/plan-types.ts'
import { CALM, type Faults, PartnerWorld } from './partner-world.ts'

type Step =
  | { readonly do: 'pass'; readonly ms: number }
  /** Delivers one waiting event, or loses it. */
  | { readonly do: 'deliver'; readonly which: number; readonly isLost: boolean }
  | { readonly do: 'perform'; readonly which: number }
  /** The shell works for some rounds: performs what is wanted, delivers what came. */
  | { readonly do: 'work'; readonly rounds: number; readonly ms: number }
  | { readonly do: 'agree' }
  | { readonly do: 'plan'; readonly what: number; readonly thousands: number }
  | { readonly do: 'order'; readonly name: number; readonly which: number; readonly by: number }
  | { readonly do: 'restart'; readonly isRestored: boolean }
  | { readonly do: 'reload'; readonly by: number; readonly isOther: boolean }

const STEP: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(1, 5_000, 60_000, 400_000, 4_000_000, 30_000_000),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('deliver' as const),
      which: fc.nat(5),
      isLost: fc.nat(3).map((one) => one === 0),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('perform' as const), which: fc.nat(3) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('work' as const),
      rounds: fc.integer({ min: 1, max: 6 }),
      ms: fc.constantFrom(1_000, 31_000, 70_000),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('agree' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('plan' as const),
      what: fc.nat(3),
      thousands: fc.integer({ min: 10, max: 3_000 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      name: fc.nat(6),
      which: fc.nat(3),
      by: fc.nat(2),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('restart' as const),
      isRestored: fc.nat(4).map((one) => one === 0),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('reload' as const), by: fc.nat(2), isOther: fc.boolean() }),
  },
)

const chance = (max: number) => fc.integer({ min: 0, max: 1_000 }).map((one) => (max * one ** 2) / 1_000_000)
const FAULTS: fc.Arbitrary<Faults> = fc.record({
  lost: chance(0.5),
  refused: chance(0.4),
  reverted: chance(0.3),
  reconcileRequired: chance(0.2),
  stuck: chance(0.8),
  doubled: chance(0.3),
  outside: chance(0.3),
})

const PEOPLE = ['anna', 'bertha', 'carla']
/** A day, rolling; the world counts what really left for payees. */
const CAP = 2_500_000n * TZS
const TREASURY = 60_000_000n * TZS

function stepOf(what: number, thousands: number): PlannedIntent {
  const amount = BigInt(thousands) * 1_000n * TZS
  const payout = (net: bigint) =>
    plannedLeg({
      kind: 'withdrawal',
      from: 'treasury',
      to: 'bank',
      amount: net + 5n * TZS,
      leastReceived: net,
      payee: 'landlord',
    })
  if (what === 0)
    return plannedStep([
      plannedLeg({ kind: 'deposit', from: 'bank', to: 'treasury', amount }),
      plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet', amount }),
      plannedLeg({ kind: 'lpActivation', from: 'lpWallet', to: 'pool', amount }),
    ])
  if (what === 1)
    return plannedStep([plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet', amount })], {
      rule: 'manual',
      route: 'rebalance',
    })
  const lots = [payout(amount / 2n - TZS), payout(amount / 2n + TZS)]
  const mostSpent = lots.reduce((sum, leg) => sum + leg.amount, 0n)
  if (what === 2)
    return plannedStep(lots, {
      rule: 'skim',
      direction: 'out',
      route: 'payout',
      mostSpent,
      destination: 'landlord',
    })
  return plannedStep(
    [plannedLeg({ kind: 'lpWithdrawal', from: 'lpWallet', to: 'treasury', amount }), ...lots],
    { rule: 'payout', direction: 'out', route: 'payout', mostSpent, destination: 'landlord' },
  )
}

/** A treasury, its world and the shell between them, in which everything may go wrong. */
class Life {
  readonly events: TreasuryEvent[] = []
  readonly world: PartnerWorld
  treasury = createTreasury()
  now = START
  effects: TreasuryEffect[] = []
  waiting: TreasuryEvent[] = []
  #ids = 0
  #hash = 0

  constructor(seed: number, faults: Faults) {
    this.world = new PartnerWorld(seed, TREASURY, faults)
    this.configure(null)
    const quote = { bidBps: 100, askBps: 100, isActive: true, isHalted: false }
    this.give({ type: 'holdingsSeen', t: this.now, holdings: holdingsOf(), mid: MID, quote })
  }

  get state(): TreasuryState {
    const state = this.treasury.state()
    if (state === null) throw new Error('not configured')
    return state
  }

  configure(author: string | null): void {
    const cap = { route: 'payout', destination: null, asset: 'NTZS', perDay: CAP, perMonth: null } as const
    const config = treasuryConfig({ policy: { caps: [cap] } })
    this.give({ type: 'configured', t: this.now, config, policyHash: `hash-${this.#hash}`, author })
  }

  give(event: TreasuryEvent): void {
    this.events.push(event)
    const { effects } = this.treasury.process(event)
    for (const effect of effects) this.checkSending(effect)
    this.effects.push(...effects.filter((effect) => 'intent' in effect))
    this.checkBooks()
  }

  take(step: Step): void {
    switch (step.do) {
      case 'pass':
        this.now += step.ms
        this.give({ type: 'tick', t: this.now })
        return
      case 'perform':
        this.perform(step.which)
        return
      case 'deliver': {
        const [event] = this.waiting.splice(Math.min(step.which, this.waiting.length - 1), 1)
        if (event !== undefined && !step.isLost) this.give({ ...event, t: this.now })
        return
      }
      case 'work':
        for (let round = 0; round < step.rounds; round++) {
          this.work()
          this.now += step.ms
          this.give({ type: 'tick', t: this.now })
        }
        return
      case 'agree':
        this.agree()
        return
      case 'plan':
        this.#ids += 1
        this.give({
          type: 'planned',
          t: this.now,
          steps: [{ id: `intent-${this.#ids}`, step: stepOf(step.what, step.thousands) }],
        })
        return
      case 'order':
        this.order(step)
        return
      case 'restart':
        this.effects = []
        this.waiting = []
        this.treasury = createTreasury()
        for (const event of decodeJson(encodeJson(this.events)) as TreasuryEvent[])
          this.treasury.process(event)
        this.give({ type: 'restarted', t: this.now, version: '1', isRestored: step.isRestored })
        this.configure(null)
        return
      case 'reload':
        if (step.isOther) this.#hash += 1
        this.configure(PEOPLE[step.by] ?? null)
        return
    }
  }

  perform(which: number): void {
    const [effect] = this.effects.splice(Math.min(which, this.effects.length - 1), 1)
    if (effect === undefined) return
    const isSending = effect.type === 'transmit' || effect.type === 'position'
    // The shell puts nothing on the wire of a treasury that was stopped meanwhile.
    if (isSending && this.state.stop !== null) {
      const { intent, leg, n } = effect
      this.waiting.push({ type: 'legSilent', t: 0, intent, leg, n, sent: 'no', words: 'stopped' })
      return
    }
    const events = this.world.perform(effect, this.state, this.now)
    this.waiting.push(...events.map((event) => ({ ...event, t: 0 }) as TreasuryEvent))
  }

  /** Performs what is wanted and delivers what came of it. */
  work(): void {
    while (this.effects.length > 0) this.perform(0)
    for (const event of this.waiting.splice(0)) this.give({ ...event, t: this.now })
  }

  /** Everybody approves what waits or is held. */
  agree(): void {
    for (const intent of Object.values(this.state.intents))
      for (const by of PEOPLE) {
        if (intent.endedAt !== null || !(intent.isHeld || intent.stage === 'awaiting_approval')) continue
        const order = { name: 'approve', intent: intent.id, envelope: envelopeText(intent.envelope) } as const
        this.give({ type: 'ordered', t: this.now, order, by, who: by, planned: null, refusal: null })
      }
  }

  order({ name, which, by: person }: Extract<Step, { readonly do: 'order' }>): void {
    const by = PEOPLE[person] ?? 'anna'
    const intents = Object.values(this.state.intents).filter(
      ({ endedAt, stage }) => endedAt === null || stage === 'claim',
    )
    const intent = intents[which % Math.max(1, intents.length)]
    const envelope = intent === undefined ? '' : envelopeText(intent.envelope)
    const id = intent?.id ?? 'none'
    const why = 'because'
    const orders = [
      { name: 'approve', intent: id, envelope },
      { name: 'approve', intent: id, envelope },
      { name: 'stop', why },
      { name: 'resume', why },
      { name: 'confirmBalances', why },
      { name: 'cancel', intent: id, why },
      { name: 'hold', intent: id, why },
    ] as const
    const order = orders[name]
    if (order !== undefined)
      this.give({ type: 'ordered', t: this.now, order, by, who: by, planned: null, refusal: null })
  }

  /** Nothing is sent while stopped, unconfirmed, held, without agreement, beyond the envelope or the caps. */
  checkSending(effect: TreasuryEffect): void {
    if (effect.type !== 'transmit' && effect.type !== 'position') return
    const { state } = this
    const intent = state.intents[effect.intent]
    const leg = intent?.legs[effect.leg]
    if (intent === undefined || leg === undefined) throw new Error('sends what it does not know')
    expect(state.stop).toBeNull()
    expect(state.unconfirmed).toBeNull()
    expect(intent.isHeld).toBe(false)
    const attempt = leg.attempts.at(-1)
    const isReplay = attempt !== undefined && attempt.sendings > 1
    if (intent.needsApproval && !isReplay) expect(agreedBy(state, intent).length).toBeGreaterThanOrEqual(2)
    const spent = intent.legs
      .filter((one) => one.from === intent.legs[0]?.from && one.sentAt !== null)
      .reduce((sum, one) => sum + (one.quote?.spend ?? one.amount), 0n)
    if (intent.route !== 'payout') expect(spent).toBeLessThanOrEqual(intent.envelope.mostSpent)
  }

  checkBooks(): void {
    const { books } = this.state
    const sum = Object.values(books.accounts).reduce((all, { NTZS }) => all + NTZS, 0n)
    expect(sum).toBe(0n)
    expect(wholeIdentity(books, MID)).toMatchObject({ tzs: { residual: 0n }, usd: { residual: 0n } })
    const kept = Object.values(books.reserved).reduce((all, { amount }) => all + amount, 0n)
    const inAccounts = Object.entries(books.accounts)
      .filter(([name]) => name.includes(':'))
      .reduce((all, [, { NTZS }]) => all + NTZS, 0n)
    expect(kept).toBe(inAccounts)
  }

  /** Whatever the treasury was answered: no leg of an intent was executed twice. */
  checkWorld(): void {
    const places = [...this.world.calls.values()].map(({ place }) => `${place.intent}:${place.leg}`)
    expect(new Set(places).size).toBe(places.length)
    const active = Object.values(this.state.intents).filter(({ endedAt }) => endedAt === null)
    const names = active.map(({ rule, asset, direction }) => `${rule} ${asset} ${direction}`)
    expect(new Set(names).size).toBe(names.length)
    const paid = [...this.world.calls.values()].filter(({ kind }) => kind === 'withdrawal')
    for (const one of paid) {
      const day = paid.filter(
        ({ at, status }) => status !== 'reverted' && at <= one.at && one.at - at < 86_400_000,
      )
      expect(day.reduce((sum, { spend }) => sum + spend, 0n)).toBeLessThanOrEqual(CAP)
    }
  }

  /** The faults are over, people agree, and time goes on until nothing moves any more. */
  settle(): void {
    this.world.faults = CALM
    const say = (name: 'resume' | 'confirmBalances') =>
      this.give({
        type: 'ordered',
        t: this.now,
        order: { name, why: 'calm' },
        by: 'anna',
        who: 'anna',
        planned: null,
        refusal: null,
      })
    say('resume')
    say('confirmBalances')
    for (let round = 0; round < 3_000; round++) {
      this.agree()
      this.work()
      if (Object.values(this.state.intents).every(({ endedAt }) => endedAt !== null)) return
      this.now = Math.max(this.now + 1_000, this.state.schedule.wakeAt)
      this.give({ type: 'tick', t: this.now })
    }
    const open = Object.values(this.state.intents).filter(({ endedAt }) => endedAt === null)
    throw new Error(`never ends: ${encodeJson(open)}`)
  }
}

describe('whatever is lost, doubled, refused or restarted, in any order', () => {
  test('nothing is sent twice, no cap is exceeded, nothing leaves unapproved or while stopped, and the books sum to zero', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        FAULTS,
        fc.array(STEP, { maxLength: 120, size: 'max' }),
        (seed, faults, steps) => {
          const life = new Life(seed, faults)
          for (const step of steps) {
            life.take(step)
            life.checkWorld()
          }
        },
      ),
      { numRuns: 200 },
    )
  }, 120_000)

  test('every intent ends or is a claim, and every shilling of the treasury is in its books', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        FAULTS,
        fc.array(STEP, { maxLength: 60, size: 'max' }),
        (seed, faults, steps) => {
          const life = new Life(seed, faults)
          for (const step of steps) life.take(step)
          life.settle()
          life.checkWorld()
          const { books, intents } = life.state
          // Of a claim nobody knows: what did not move is still there.
          const claimed = Object.values(intents).flatMap(({ id, legs }) =>
            legs.flatMap((leg, index) => {
              if (leg.stage !== 'claim') return []
              const call = [...life.world.calls.values()].find(
                ({ place }) => place.intent === id && place.leg === index,
              )
              const came = leg.to === 'treasury' && call?.status === 'completed' ? call.receive : 0n
              const isGone = call !== undefined && call.status !== 'reverted'
              const reserved = books.reserved[`${id}:${index}`]?.amount ?? 0n
              return [came + (isGone || leg.from !== 'treasury' ? 0n : reserved)]
            }),
          )
          const there = (books.accounts['treasury']?.NTZS ?? 0n) + claimed.reduce((sum, one) => sum + one, 0n)
          // Deposits that were cancelled, or silent, may be paid all the same: they are calls of the world without an end here.
          expect(life.world.treasury).toBe(there)
        },
      ),
      { numRuns: 150 },
    )
  }, 120_000)

  test('the state is the fold of the events: read back from text, they give the same one', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        FAULTS,
        fc.array(STEP, { maxLength: 60, size: 'max' }),
        (seed, faults, steps) => {
          const life = new Life(seed, faults)
          for (const step of steps) life.take(step)
          const again = createTreasury()
          for (const event of decodeJson(encodeJson(life.events)) as TreasuryEvent[]) again.process(event)
          expect(again.state()).toEqual(life.state)
        },
      ),
      { numRuns: 50 },
    )
  }, 60_000)
})
