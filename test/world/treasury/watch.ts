import type { Ms } from '../../../src/base/time.ts'
import { conservationGap } from '../../support/conservation-gap.ts'
import { ASSETS } from '../../../src/base/money/asset.ts'
import { accountOf } from '../../../src/simulator/sandbox/market/book.ts'
import type { VenueModel } from '../../../src/simulator/sandbox/model.ts'
import type { Partner } from '../../../src/simulator/sandbox/partner/model/partner.ts'
import { agreedBy } from '../../../src/treasury/approvals/envelope.ts'
import type { TreasuryState } from '../../../src/treasury/state.ts'
import type { Intent, Leg } from '../../../src/treasury/model/intent.ts'
import { violated } from '../step.ts'
import { heldOf } from './position.ts'
import type { Sending } from './venue-client.ts'

type Held = ReturnType<typeof heldOf>

/** What a sending really brought about at the venue. */
export type Effect = {
  readonly intent: string
  readonly leg: number
  readonly at: Ms
  /** What the intent spends. */
  readonly asset: string
  readonly endpoint: Sending['endpoint']
  /** The resource that it created, as the venue has it; null = it has none. */
  readonly resource: string | null
  /** How the treasury's wallet changed at once. */
  readonly change: Held
}

const DAY_MS = 86_400_000

/** Watches the wire: what leaves is wanted, agreed and within its envelope, and nothing takes effect twice. */
export class TreasuryWatch {
  readonly effects: Effect[] = []
  sendings = 0
  /** A person has stopped the treasury, whatever it makes of that. */
  isStopped = false
  readonly #model: VenueModel
  readonly #partner: Partner
  readonly #dailyCap: bigint

  constructor(model: VenueModel, partner: Partner, dailyCap: bigint) {
    this.#model = model
    this.#partner = partner
    this.#dailyCap = dailyCap
  }

  /** What the wallet of the treasury's user holds at the venue. */
  wallet(): Held {
    const { users, ownerId } = this.#partner
    const address = users.get(ownerId ?? '')?.walletAddress ?? ''
    const account = accountOf(this.#model.state, address.toLowerCase())
    return heldOf((asset) => account[asset])
  }

  float(): Held {
    const account = accountOf(this.#model.state, this.#partner.settlementAddress.toLowerCase())
    return heldOf((asset) => account[asset])
  }

  /** A money call is about to leave; the function that is returned looks at what it brought about. */
  onSending(state: TreasuryState, sending: Sending, at: Ms): () => void {
    this.sendings += 1
    const { intent, leg, index } = ownerOf(state, sending)
    if (this.isStopped) violated(`${intent.id} was sent after a person has stopped the treasury`)
    mustBeWanted(state, intent)
    mustBeWithin(intent, leg, index, sending)
    // What was due before belongs to no sending.
    this.#model.advanceTo(this.#model.state.now)
    const before = this.wallet()
    const known = this.#resources()
    return () => {
      const after = this.wallet()
      const change = heldOf((asset) => after[asset] - before[asset])
      const created = this.#resources().filter((id) => !known.includes(id))
      if (created.length > 1)
        violated(`${sending.endpoint} of ${sending.key} took effect ${created.length} times`)
      const isMoved = Object.values(change).some((amount) => amount !== 0n)
      if (created.length === 0 && !isMoved) return
      const twice = this.effects.find((one) => one.intent === intent.id && one.leg === index)
      if (twice !== undefined) violated(`leg ${index} of ${intent.id} took effect twice: ${leg.kind}`)
      const { endpoint } = sending
      const { asset } = intent.envelope
      const resource = created[0] ?? null
      this.effects.push({ intent: intent.id, leg: index, at, asset, endpoint, resource, change })
      if (endpoint === 'createWithdrawal') this.#mustBeWithinCap(at)
    }
  }

  /** No unit of any token was made or lost at the venue. */
  mustConserve(): void {
    const gap = conservationGap(this.#model.book())
    for (const asset of ASSETS)
      if (gap[asset] !== 0n) violated(`the venue has ${gap[asset]} of ${asset} too many`)
  }

  #resources(): readonly string[] {
    const { deposits, withdrawals, payments } = this.#partner
    return [...deposits.keys(), ...withdrawals.keys(), ...payments.settlements.keys()]
  }

  #mustBeWithinCap(now: Ms): void {
    // The cap is of shillings that leave: dollars that are changed into them have one of their own, or none.
    const paid = this.effects.flatMap(({ endpoint, resource, at, asset }) => {
      if (asset !== 'NTZS') return []
      const payout = this.#partner.withdrawals.get(resource ?? '')
      const counts = endpoint === 'createWithdrawal' && payout !== undefined && now - at < DAY_MS
      return counts && payout.status !== 'reverted' ? [payout.burnTzs * 10n ** 18n] : []
    })
    const sum = paid.reduce((all, one) => all + one, 0n)
    if (sum > this.#dailyCap) violated(`${sum} left within a day, and the cap is ${this.#dailyCap}`)
  }
}

function ownerOf(state: TreasuryState, { key, body }: Sending): { intent: Intent; leg: Leg; index: number } {
  for (const intent of Object.values(state.intents))
    for (const [index, leg] of intent.legs.entries())
      for (const attempt of leg.attempts)
        if (attempt.key === key) {
          if (attempt.body !== body) violated(`${key} left with other bytes than the journal has`)
          return { intent, leg, index }
        }
  return violated(`${key} belongs to no intent`)
}

function mustBeWanted(state: TreasuryState, intent: Intent): void {
  if (state.stop !== null) violated(`${intent.id} was sent while the treasury is stopped`)
  if (state.unconfirmed !== null) violated(`${intent.id} was sent before the balances were confirmed`)
  if (intent.isHeld) violated(`${intent.id} was sent though a person holds it`)
  if (intent.endedAt !== null) violated(`${intent.id} was sent after its end`)
}

function mustBeWithin(intent: Intent, leg: Leg, index: number, { body }: Sending): void {
  const { envelope, destination } = { envelope: intent.envelope, destination: intent.envelope.destination }
  if (leg.payee !== null && leg.payee !== destination)
    violated(`${intent.id} pays ${leg.payee}, not ${destination}`)
  const spent = intent.legs
    .filter((one, at) => one.asset === envelope.asset && one.from === intent.legs[0]?.from && at <= index)
    .reduce((sum, one) => sum + (one.quote?.spend ?? one.amount), 0n)
  if (spent > envelope.mostSpent)
    violated(`${intent.id} spends ${spent}, and its envelope allows ${envelope.mostSpent}`)
  if (body === '') violated(`${intent.id} was sent without a body`)
}

/** Whether enough people agreed, at the first sending: a later author of the policy strands nothing half-way. */
export function mustBeAgreed(state: TreasuryState, intent: Intent): void {
  if (!intent.needsApproval || intent.legs.some(({ sentAt }) => sentAt !== null && sentAt < state.now)) return
  const agreed = agreedBy(state, intent)
  if (agreed.length < state.config.approval.people)
    violated(`${intent.id} is sent, and only ${agreed.length} agreed to it`)
}
