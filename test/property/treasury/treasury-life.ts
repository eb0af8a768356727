import { decodeJson, encodeJson } from '../../../src/base/codec.ts'
import { agreedBy, envelopeText } from '../../../src/treasury/approvals/envelope.ts'
import { wholeIdentity } from '../../../src/treasury/books/identity.ts'
import { createTreasury } from '../../../src/treasury/core/treasury.ts'
import type { TreasuryState } from '../../../src/treasury/state.ts'
import type { TreasuryEffect } from '../../../src/treasury/model/effect.ts'
import type { TreasuryEvent, TreasuryOrder } from '../../../src/treasury/model/event.ts'
import { namedAmount } from '../../../src/treasury/intents/amounts.ts'
import { KEYED_ROUTES } from '../../../src/treasury/model/keys.ts'
import type { LegStage } from '../../../src/treasury/model/intent.ts'
import type { PlannedIntent } from '../../../src/treasury/model/plan-types.ts'
import {
  MID,
  plannedLeg,
  plannedStep,
  START,
  treasuryConfig,
  TZS,
  holdingsOf,
  VENUE,
} from '../../support/treasury-harness.ts'
import { CALM, type Faults, PartnerWorld, type Unplaced } from './partner-world.ts'

export type Step =
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

const PEOPLE = ['anna', 'bertha', 'carla']
/** A day, rolling; the world counts what really left for payees. */
const CAP = 2_500_000n * TZS

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
  if (what === 0) {
    const lots = thousands % 2 === 0 ? [amount] : [amount, amount + 1_000n * TZS]
    const steps = lots.flatMap((lot) => [
      plannedLeg({ kind: 'deposit', from: 'bank', to: 'treasury', amount: lot }),
      plannedLeg({ kind: 'transfer', from: 'treasury', to: 'lpWallet', amount: lot }),
      plannedLeg({ kind: 'lpActivation', from: 'lpWallet', to: 'pool', amount: lot }),
    ])
    return plannedStep(steps, { mostSpent: lots.reduce((sum, lot) => sum + lot, 0n) })
  }
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
export class Life {
  readonly events: TreasuryEvent[] = []
  readonly world: PartnerWorld
  /** Half of the venues take no notice of keys, and the configuration names no route. */
  readonly #isKeyless: boolean
  treasury = createTreasury()
  now = START
  effects: TreasuryEffect[] = []
  waiting: Unplaced[] = []
  #ids = 0
  #names = 0
  #hash = 0

  constructor(seed: number, faults: Faults) {
    this.#isKeyless = seed % 2 !== 0
    this.world = new PartnerWorld(seed, holdingsOf(), faults, this.#isKeyless)
    this.configure(null)
    this.start(false)
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
    const config = treasuryConfig({
      policy: { caps: [cap] },
      ...(this.#isKeyless ? {} : { keysHonoured: KEYED_ROUTES }),
    })
    this.give({ type: 'configured', t: this.now, config, policyHash: `hash-${this.#hash}`, author })
  }

  /** The process starts; its key is a live one. */
  start(isRestored: boolean): void {
    this.give({ type: 'restarted', t: this.now, version: '1', isRestored, venue: VENUE })
    this.give({ type: 'modeSeen', t: this.now, isLive: true })
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
          // Some are of a shell that looked no one up, as in journals of before.
          steps: [
            {
              id: `intent-${this.#ids}`,
              step: stepOf(step.what, step.thousands),
              ...(step.what >= 2 && this.#ids % 4 > 0 ? { isNamed: true } : {}),
            },
          ],
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
        this.start(step.isRestored)
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
      this.waiting.push({ type: 'legSilent', intent, leg, n, sent: 'no', words: 'stopped' })
      return
    }
    const events = this.world.perform(effect, this.state, this.now)
    this.waiting.push(...events)
    if (effect.type === 'namePayee') this.waiting.push(...this.named(effect))
  }

  /** The same name, then a question that is lost, another name, and one that is not known. */
  named({ intent, leg }: Extract<TreasuryEffect, { readonly type: 'namePayee' }>): readonly Unplaced[] {
    this.#names += 1
    if (this.#names % 4 === 2) return []
    const name = this.#names % 4 === 3 ? 'JOHN ROE' : this.#names % 4 === 0 ? null : 'JANE DOE'
    const payee = this.state.intents[intent]?.legs[leg]?.payee ?? ''
    const to = this.state.payees[payee]?.to ?? ''
    const note = name === null ? 'no answer' : null
    return [{ type: 'payeeNamed', intent, leg, payee, to, name, note }]
  }

  /** Everybody confirms the names that changed. */
  confirmNames(): void {
    for (const [payee, { renamedTo }] of Object.entries(this.state.payees))
      for (const by of renamedTo === undefined ? [] : PEOPLE) {
        const order = { name: 'confirmPayee', payee, registeredName: renamedTo ?? '', why: 'called' } as const
        this.give({ type: 'ordered', t: this.now, order, by, who: by, planned: null, refusal: null })
      }
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
    must(state.stop === null, 'sends while stopped')
    must(state.unconfirmed === null, 'sends before the balances are confirmed')
    must(!intent.isHeld, 'sends what is held')
    const attempt = leg.attempts.at(-1)
    const isReplay = attempt !== undefined && attempt.sendings > 1
    const isBegun = intent.legs.filter(({ sentAt }) => sentAt !== null).length > 1
    const isAgreed = isBegun || !intent.needsApproval || agreedBy(state, intent).length >= 2
    must(isAgreed || isReplay, 'sends without approval')
    const isRenamed = state.payees[leg.payee ?? '']?.renamedTo !== undefined
    must(!isRenamed || isReplay, 'pays a payee whose name changed')
    must(
      leg.payee === null || intent.naming?.answer !== null || isReplay,
      'pays before the name was looked up',
    )
    const spent = intent.legs
      .filter((one) => one.from === intent.legs[0]?.from && one.sentAt !== null)
      .reduce((sum, one) => sum + (one.quote?.spend ?? one.amount), 0n)
    must(spent <= intent.envelope.mostSpent || intent.route === 'payout', 'sends more than its envelope')
  }

  checkBooks(): void {
    const { books } = this.state
    const sum = Object.values(books.accounts).reduce((all, { NTZS }) => all + NTZS, 0n)
    must(sum === 0n, 'the books do not sum to zero')
    const whole = wholeIdentity(books, MID)
    must(whole?.tzs.residual === 0n && whole.usd.residual === 0n, 'the identity has a residual')
    const kept = Object.values(books.reserved).reduce((all, { amount }) => all + amount, 0n)
    const inAccounts = Object.entries(books.accounts)
      .filter(([name]) => name.includes(':'))
      .reduce((all, [, { NTZS }]) => all + NTZS, 0n)
    must(kept === inAccounts, 'transit is not the sum of what is pending')
  }

  /** Whatever the treasury was answered: no leg of an intent was executed twice. */
  checkWorld(): void {
    const places = [...this.world.calls.values()].map(({ place }) => `${place.intent}:${place.leg}`)
    must(new Set(places).size === places.length, 'a leg was executed twice')
    const active = Object.values(this.state.intents).filter(({ endedAt }) => endedAt === null)
    must(
      active.every(({ id }) => this.state.watched.includes(id)),
      'an open intent is watched no more',
    )
    const names = active.map(({ rule, asset, direction }) => `${rule} ${asset} ${direction}`)
    must(new Set(names).size === names.length, 'two active intents of one rule')
    const open = Object.values(this.state.intents).flatMap(({ legs }) =>
      legs.filter(({ stage, kind }) => isOpenStage(stage) && !kind.startsWith('lp')),
    )
    const amounts = open.map((leg) => `${leg.kind} ${namedAmount(leg).amount}`)
    must(new Set(amounts).size === amounts.length, 'two open calls of one amount')
    const paid = [...this.world.calls.values()].filter(({ kind }) => kind === 'withdrawal')
    for (const one of paid) {
      const day = paid.filter(
        ({ at, status }) => status !== 'reverted' && at <= one.at && one.at - at < 86_400_000,
      )
      must(day.reduce((sum, { spend }) => sum + spend, 0n) <= CAP, 'the cap of a day is exceeded')
    }
  }

  /** The faults are over, people agree, and time continues until nothing moves any longer. */
  settle(): void {
    this.world.faults = CALM
    const calmAt = this.now
    const say = (order: TreasuryOrder) =>
      this.give({
        type: 'ordered',
        t: this.now,
        order,
        by: 'anna',
        who: 'anna',
        planned: null,
        refusal: null,
      })
    say({ name: 'resume', why: 'calm' })
    say({ name: 'confirmBalances', why: 'calm' })
    for (let round = 0; round < 3_000; round++) {
      this.confirmNames()
      this.agree()
      for (const { id, stage } of Object.values(this.state.intents))
        if (stage === 'waiting_for_funds') say({ name: 'cancel', intent: id, why: 'no funds come' })
      this.work()
      // What was cancelled and paid all the same is seen by the next look at it, each hour.
      const ends = Object.values(this.state.intents).map(({ endedAt }) => endedAt ?? Infinity)
      if (this.now > Math.max(calmAt, ...ends) + 2 * 3_600_000) return
      this.now = Math.max(this.now + 1_000, this.state.schedule.wakeAt)
      this.give({ type: 'tick', t: this.now })
    }
    const open = Object.values(this.state.intents).filter(({ endedAt }) => endedAt === null)
    throw new Error(`never ends: ${encodeJson(open)}`)
  }
}

function isOpenStage(stage: LegStage): boolean {
  return /^(sending|silent|known|in_transit|claim)$/.test(stage)
}

function must(holds: boolean, fault: string): void {
  if (!holds) throw new Error(fault)
}
