import { HOUR_MS, MINUTE_MS } from '../../../src/base/time.ts'
import type { VenueModel } from '../../../src/simulator/sandbox/model.ts'
import {
  announceNext,
  patchSettings,
  setState,
} from '../../../src/simulator/sandbox/partner/control/control.ts'
import type { Partner } from '../../../src/simulator/sandbox/partner/model/partner.ts'
import type { Leg } from '../../../src/treasury/model/intent.ts'
import { envelopeText } from '../../../src/treasury/approvals/envelope.ts'
import { TZS } from '../../support/treasury-harness.ts'
import type { Dice } from '../dice.ts'
import type { TreasuryDaemon } from './daemon.ts'
import type { SimulatedPosition } from './position.ts'
import type { TreasuryTrouble } from './trouble.ts'
import type { TreasuryWatch } from './watch.ts'

const APPROVERS = ['anna', 'bertha', 'carla']
const MONEY_ROUTES = ['POST /deposits', 'POST /transfers', 'POST /withdrawals', 'POST /swap', 'POST /ramp/*']

export type TreasuryPeopleParts = {
  readonly daemon: TreasuryDaemon
  readonly position: SimulatedPosition
  readonly model: VenueModel
  readonly partner: Partner
  readonly watch: TreasuryWatch
  readonly dice: Dice
  /** The chance, of each step, that the venue or one of its rails goes wrong. */
  readonly mischief: number
  readonly trouble: TreasuryTrouble
}

/** Those who approve, stop, meddle and resolve claims, and the operator of the venue, who errs. */
export class TreasuryPeople {
  /** Claims that a person resolved. */
  claims = 0
  readonly #parts: TreasuryPeopleParts

  constructor(parts: TreasuryPeopleParts) {
    this.#parts = parts
  }

  /** What people and the venue do in one step of a day. */
  act(): void {
    const { daemon, dice, mischief, trouble } = this.#parts
    const roll = dice.next()
    if (roll < 0.1) this.agree()
    else if (roll < 0.115) {
      if (trouble.befalls('treasury stopped')) daemon.order({ name: 'stop', why: 'strange' }, 'anna')
    } else if (roll < 0.2) this.resume()
    else if (roll < 0.25) daemon.payOut('landlord', BigInt(dice.between(1, 3_000)) * 1_000n * TZS, 'bertha')
    else if (roll < 0.27) this.#meddle()
    else if (roll < 0.29) daemon.give({ type: 'skimDue' })
    else if (roll < 0.31) this.#restart()
    else if (roll < 0.33) this.#setClock()
    else if (dice.happens(mischief)) this.#misbehave()
  }

  #restart(): void {
    const { daemon, dice, trouble } = this.#parts
    const isRestored = dice.happens(0.3)
    if (trouble.befalls('restart')) daemon.restart(isRestored)
  }

  #setClock(): void {
    const { daemon, dice, trouble } = this.#parts
    const skewMs = dice.pick([0, 0, -90_000, 20_000, 10 * MINUTE_MS, HOUR_MS])
    if (skewMs === 0 || trouble.befalls('clock off')) daemon.skewMs = skewMs
  }

  resume(): void {
    const { daemon } = this.#parts
    const { stop, unconfirmed } = daemon.state
    if (stop !== null) daemon.order({ name: 'resume', why: 'fine' }, 'carla')
    if (unconfirmed !== null) daemon.order({ name: 'confirmBalances', why: 'compared' }, 'carla')
  }

  agree(): void {
    const { daemon } = this.#parts
    for (const { id, envelope, isHeld, stage } of daemon.open())
      for (const by of APPROVERS)
        if (isHeld || stage === 'awaiting_approval')
          daemon.order({ name: 'approve', intent: id, envelope: envelopeText(envelope) }, by)
  }

  #meddle(): void {
    const { daemon, dice, trouble } = this.#parts
    const intent = dice.pick(daemon.open())
    const name = dice.pick(['hold', 'cancel'] as const)
    if (intent !== undefined && trouble.befalls('intent held or cancelled'))
      daemon.order({ name, intent: intent.id, why: 'to be sure' }, 'anna')
  }

  /** The venue, its operator or a rail goes wrong. */
  #misbehave(): void {
    const { model, dice, trouble } = this.#parts
    const { partner: world } = model
    const route = dice.pick(MONEY_ROUTES)
    const isEven = dice.happens(0.5)
    switch (dice.between(0, 4)) {
      case 0:
        if (trouble.befalls('venue refuses'))
          announceNext(world, { kind: 'refuse', route, code: 'network_error', isTaken: isEven })
        return
      case 1:
        // Without keys whatever doubles a request on its way pays twice, though it was sent once.
        if (world.settings.keysIgnored.length === 0 && trouble.befalls('answer doubled'))
          announceNext(world, { kind: 'doubled', route })
        return
      case 2:
        return this.#spoilPayout()
      case 3: {
        const ms = dice.between(1, 60) * MINUTE_MS
        if (trouble.befalls('outage')) model.inject({ outage: { ms } })
        return
      }
      case 4:
        if (isEven || trouble.befalls('instructions unpaid'))
          patchSettings(world, { paysInstructions: isEven })
    }
  }

  /** The operator of the venue ends a payout, or cannot tell what became of it. */
  #spoilPayout(): void {
    const { model, partner, dice, trouble } = this.#parts
    const id = dice.pick([...partner.withdrawals.keys()])
    const state = dice.pick(['reverted', 'paid', 'reconcile_required'])
    if (id !== undefined && trouble.befalls('payout reverted or stuck'))
      setState(model.partner, { kind: 'withdrawal', id, state }, {})
  }

  /** Payers pay, and the operator ends what waits for him. */
  payWhatWaits(): void {
    const { model, partner } = this.#parts
    const { deposits, withdrawals, payments } = partner
    const set = (kind: string, id: string, state: string) => setState(model.partner, { kind, id, state }, {})
    for (const { id, status } of deposits.values())
      if (status !== 'completed' && status !== 'failed') set('deposit', id, 'completed')
    for (const { id, status } of payments.settlements.values())
      if (status === 'minting' || status === 'paying_out') set('settlement', id, 'completed')
    for (const { id, status, payoutStatus } of withdrawals.values())
      if (status === 'requested') set('withdrawal', id, 'burned')
      else if (payoutStatus === 'reconcile_required') set('withdrawal', id, 'paid')
  }

  /** Anyone who reads that an intent is late gives up what has not left, for want of a balance. */
  giveUp(): void {
    const { daemon } = this.#parts
    for (const { id, isLate, stage, legs } of daemon.open()) {
      const next = legs.find(({ endedAt }) => endedAt === null)
      const isShort = stage === 'waiting_for_funds' || (next?.failures ?? 0) > 100
      if (isLate && next?.stage === 'planned' && isShort)
        daemon.order({ name: 'cancel', intent: id, why: 'it is late' }, 'anna')
    }
  }

  /** Resolves every claim by what the venue knows of it. */
  resolveClaims(isRipe: (leg: Leg) => boolean = () => true): void {
    const { daemon, position, watch } = this.#parts
    const { intents, books } = daemon.state
    for (const { id, legs } of Object.values(intents))
      for (const [index, leg] of legs.entries()) {
        if (leg.stage !== 'claim') continue
        // An order resolves the first claim of its intent.
        if (!isRipe(leg)) break
        const effect = watch.effects.find((one) => one.intent === id && one.leg === index)
        const arrived =
          effect === undefined ? null : this.#arrived(effect.resource, effect.change, leg.receiveAsset)
        const received = arrived ?? books.reserved[`${id}:${index}`]?.amount ?? 0n
        const as = arrived === null ? 'returned' : 'arrived'
        const why = 'the venue confirmed it'
        this.claims += 1
        daemon.order({ name: 'resolveClaim', intent: id, as, received, why }, 'anna')
        // The answer asks for it: the step that would have told the position was dropped.
        if (arrived !== null && leg.to === 'lpWallet' && leg.kind !== 'lpActivation')
          position.bookDeposit(leg.receiveAsset, received, `${id}:${index}`)
        // What stayed in its wallet the position asks for as well, unless the order of this activation has told it.
        const before = legs[index - 1]
        if (
          arrived === null &&
          leg.kind === 'lpActivation' &&
          before?.to === 'lpWallet' &&
          before.received !== null
        )
          position.bookDeposit(before.receiveAsset, before.received, `${id}-${index}`)
      }
  }

  /** What arrived of a sending at the venue; null = it came back. */
  #arrived(resource: string | null, change: Readonly<Record<string, bigint>>, asset: string): bigint | null {
    const { deposits, withdrawals, payments } = this.#parts.partner
    const id = resource ?? ''
    const deposit = deposits.get(id)
    if (deposit !== undefined) return deposit.status === 'completed' ? deposit.amountTzs * TZS : null
    const payout = withdrawals.get(id)
    if (payout !== undefined) return payout.status === 'reverted' ? null : payout.receiveTzs * TZS
    const settlement = payments.settlements.get(id)
    if (settlement !== undefined) return settlement.tzs * TZS
    const moved = change[asset] ?? 0n
    const units = moved < 0n ? -moved : moved
    // Balances show whole shillings, and so does what a person reads there.
    return asset === 'NTZS' ? units - (units % TZS) : units
  }
}
