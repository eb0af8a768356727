import type { Envelope, Intent } from '../model/intent.ts'
import type { PlannedIntent } from '../model/plan-types.ts'
import type { TreasuryState } from '../state.ts'

/**
 * Returns the envelope as canonical JSON, which people approve and approvals are compared with: keys sorted by code
 * units, no white space, amounts as strings. Source: RFC 8785; the object is flat, with only strings and whole numbers.
 */
export function envelopeText(envelope: Envelope): string {
  const entries = Object.entries(envelope).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(
    Object.fromEntries(
      entries.map(([key, value]) => [key, typeof value === 'bigint' ? value.toString() : value]),
    ),
  )
}

/** Returns the envelope of a step: its limits, and the deadline for its first byte. */
export function envelopeOf(state: TreasuryState, id: string, step: PlannedIntent): Envelope {
  const { approval } = state.config
  const coolOffMs = approval.people === 1 ? approval.coolOffMs : 0
  return {
    intent: id,
    destination: step.destination,
    asset: step.spendAsset,
    mostSpent: step.mostSpent,
    receiveAsset: step.receiveAsset,
    leastReceived: step.leastReceived,
    expiresAt: state.now + approval.withinMs + coolOffMs,
    policyHash: state.policyHash,
  }
}

const OWN_PLACES: readonly string[] = ['pool', 'lpWallet', 'treasury', 'platform', 'float']

/** Returns whether a step needs approval: it leaves our own places, or exceeds the free amount. */
export function needsPeople({ config }: TreasuryState, step: PlannedIntent): boolean {
  const isOurs = OWN_PLACES.includes(step.destination) && step.legs.every(({ payee }) => payee === null)
  return !isOurs || step.mostSpent > config.approval.freeRefill[step.spendAsset]
}

/** Returns the tokens that approved the envelope, excluding the daemon and the author of the policy. */
export function agreedBy(state: TreasuryState, intent: Intent): readonly string[] {
  const text = envelopeText(intent.envelope)
  const tokens = intent.approvals.filter(({ envelope }) => envelope === text).map(({ by }) => by)
  return [...new Set(tokens)].filter((token) => token !== state.author)
}

/**
 * Returns whether the money may move. A movement that has begun under an envelope continues under it, so that a new
 * author of the same policy does not strand it halfway.
 */
export function isAgreed(state: TreasuryState, intent: Intent): boolean {
  if (!intent.needsApproval || intent.agreed === envelopeText(intent.envelope)) return true
  return agreedBy(state, intent).length >= state.config.approval.people
}
