import { randomBytes } from 'node:crypto'
import { err, errorText, type Result } from '../../../base/result.ts'
import { HOUR_MS } from '../../../base/time.ts'
import type { PartnerClient } from '../../../treasury/api/client.ts'
import type { PartnerOutcome } from '../../../treasury/api/outcome.ts'
import { readRegisteredName } from '../../../treasury/approvals/registered-name.ts'
import { sendingObstacle } from '../../../treasury/state.ts'
import type { LegPlace } from '../../../treasury/model/effect.ts'
import type { FoundCandidate, LegFacts, TreasuryEvent } from '../../../treasury/model/event.ts'
import type { Intent, Leg, LegKind } from '../../../treasury/model/intent.ts'
import { endpointOf, type MoneyCall, moneyCall, payeeOf, type LegCallParts } from './leg-calls.ts'
import { depositFacts, sendingEvent, settlementFacts, withdrawalFacts, withDelivery } from './leg-outcomes.ts'
import { quoteLeg } from './leg-quotes.ts'
import { lookUpPayee, namedEvent } from './payee-lookup.ts'
import type { Performing } from './performer-parts.ts'
import { type Named, whyNotOurs } from './named-resource.ts'
import { findOnChain } from './finders/chain-finder.ts'
import { findInList } from './finders/list-finder.ts'
import { findInWebhooks } from './finders/webhook-finder.ts'

type Events = readonly TreasuryEvent[]
type Sending = LegPlace & { readonly n: number }

const NOTHING_SEEN = {
  mid: null,
  quote: { bidBps: null, askBps: null, isActive: false, isHalted: false, isKnown: false },
} as const
/** A lost answer is searched among the webhooks of this time. */
const PARKED_MS = 72 * HOUR_MS

export function legOf(
  { state }: Pick<Performing, 'state'>,
  { intent: id, leg }: LegPlace,
): { readonly intent: Intent; readonly leg: Leg } | null {
  const intent = state()?.intents[id]
  const found = intent?.legs[leg]
  return intent === undefined || found === undefined ? null : { intent, leg: found }
}

/** Looks up the registered name of the account that the leg pays. */
export async function namePayee(parts: Performing, place: LegPlace): Promise<Events> {
  const found = legOf(parts, place)
  const config = parts.config()
  const payee = found === null ? null : payeeOf(config, found.leg)
  if (found === null || payee === null) return []
  const named = await lookUpPayee({ client: parts.client, config }, found.leg, payee)
  return [namedEvent(place, payee, named, parts.clock.now())]
}

/** Requests the venue's price of the leg; also reports the registered name of a bank account if it has changed. */
export async function priceLeg(parts: Performing, { intent, leg }: LegPlace): Promise<Events> {
  const found = legOf(parts, { intent, leg })
  if (found === null) return []
  const priced = await quoteLeg({ ...callParts(parts), client: parts.client }, found.leg)
  const at = { intent, leg, t: parts.clock.now() }
  if (!priced.ok) return [{ ...at, type: 'quoteFailed', ...priced.error }]
  return [
    ...renamedBy(parts, { intent, leg }, found.leg, priced.value.recipientName),
    { ...at, type: 'quoteSeen', quote: priced.value },
  ]
}

/** Returns an event if the quote of a bank payout shows a different registered name; it precedes the price. */
function renamedBy(parts: Performing, place: LegPlace, leg: Leg, name: string | null): Events {
  const payee = payeeOf(parts.config(), leg)
  if (leg.kind !== 'withdrawal' || payee?.to.kind !== 'bank' || name === null) return []
  if (parts.state()?.payees[payee.name]?.registered?.name === name) return []
  return [namedEvent(place, payee, { name, note: readRegisteredName(name).note }, parts.clock.now())]
}

/** Draws the Idempotency-Key and builds the exact body; both are journalled before anything is sent. */
export async function prepareLeg(parts: Performing, { intent, leg }: LegPlace): Promise<Events> {
  const found = legOf(parts, { intent, leg })
  if (found === null) return []
  const call = builtCall(parts, found)
  if (!call.ok) return [{ type: 'prepareFailed', t: parts.clock.now(), intent, leg, words: call.error }]
  const n = found.leg.attempts.length + 1
  // Random, and not derived from the content or a counter: a restored store must not repeat a key.
  const key = `${randomBytes(16).toString('hex')}-${n}`
  const { body } = call.value
  const block = await heightFor(parts, found.leg)
  return [{ type: 'attemptPrepared', t: parts.clock.now(), intent, leg, key, body, block, n }]
}

/** Builds the call with its exact body; the error is a sentence. */
function builtCall(
  parts: Performing,
  { intent, leg }: { readonly intent: Intent; readonly leg: Leg },
): Result<MoneyCall, string> {
  try {
    return moneyCall(callParts(parts), intent, leg)
  } catch (error) {
    // Parameters that the contract rejects, including a payee's from the configuration.
    return err(errorText(error))
  }
}

/** Sends the attempt once, unless the treasury was stopped or the intent was held meanwhile. */
export async function transmitLeg(parts: Performing, { intent, leg, n }: Sending): Promise<Events> {
  const { client, clock } = parts
  const state = parts.state()
  const found = legOf(parts, { intent, leg })
  const attempt = found?.leg.attempts.find((one) => one.n === n)
  const endpoint = found === null ? null : endpointOf(found.leg)
  if (state === null || found === null || attempt === undefined || endpoint === null) return []
  const place = { intent, leg, n }
  const obstacle = sendingObstacle(state) ?? (found.intent.isHeld ? 'an operator holds it' : null)
  if (obstacle !== null) return [{ ...place, t: clock.now(), type: 'legSilent', sent: 'no', words: obstacle }]
  const isFirst = attempt.sendings === 1
  const { key, body } = attempt
  const outcome = await client.transmit({ endpoint, key, body })
  const event = sendingEvent({ ...place, t: clock.now() }, found.leg.kind, outcome, isFirst)
  return [await withDelivery(parts, found.leg, event)]
}

/** Reads the resource of the leg, after a webhook or by a poll. */
export async function readLeg(parts: Performing, { intent, leg }: LegPlace): Promise<Events> {
  const found = legOf(parts, { intent, leg })
  const id = found === null ? null : (found.leg.resourceId ?? found.leg.named ?? null)
  const read = found === null || id === null ? null : await readResource(parts.client, found.leg.kind, id)
  if (found === null || id === null || read === null) return []
  if (typeof read === 'string') {
    parts.log(`intent ${intent}, step ${leg + 1} could not be read: ${read}`)
    return []
  }
  const { status, received, fee, words } = read.facts
  const isOpen = found.leg.resourceId === null
  const own = { ...parts.config(), treasuryAddress: parts.treasuryAddress() }
  const named = isOpen ? { named: { id, not: whyNotOurs(own, found.leg, read.value) } } : {}
  const t = parts.clock.now()
  return [{ type: 'resourceSeen', t, intent, leg, status, received, fee, words, by: 'poll', ...named }]
}

/**
 * Searches for an attempt without an answer, sending nothing: on the chain, in the list of the ramp, and among the stored
 * webhooks. For a claim the result is only evidence, because by then a person may have moved the same amount by hand.
 */
export async function findLeg(parts: Performing, { intent, leg: index, n }: Sending): Promise<Events> {
  const leg = legOf(parts, { intent, leg: index })?.leg
  if (leg === undefined) return []
  const t = parts.clock.now()
  const at = { type: 'findingSeen', t, intent, leg: index, n } as const
  const onChain = await findOnChain(parts, leg, n)
  const { userId } = parts.config().core
  const since = Math.max(t - PARKED_MS, leg.sentAt ?? t)
  const hit = onChain.found === null ? findInWebhooks(parts.webhooks(), leg, { userId, since }) : null
  const listed = await findInList(parts, leg, n)
  const words = hit === null ? (listed?.words ?? onChain.words) : `a webhook names it: ${hit.reference}`
  const fitting: FoundCandidate[] = onChain.candidates.map((one) => ({ by: 'chain', ...one }))
  for (const one of listed?.candidates ?? []) fitting.push({ by: 'list', ...one })
  const named = listed?.named ?? null
  if (leg.stage !== 'claim') {
    const found = onChain.found ?? hit
    const why = found === null ? `no webhook names it, and ${words}` : words
    const follow = named === null ? {} : { named }
    return [{ ...at, found, words: why, ...(fitting.length > 0 && { candidates: fitting }), ...follow }]
  }
  if (onChain.found !== null) fitting.push({ by: 'chain', ...onChain.found })
  if (named !== null) fitting.push({ by: 'list', reference: named, received: leg.leastReceived })
  const { reference = null, received = 0n } = hit ?? {}
  const candidates =
    reference === null ? fitting : [...fitting, { by: 'webhook' as const, reference, received }]
  const isKnown = candidates.every((one) => leg.evidence?.some((known) => known.reference === one.reference))
  return isKnown ? [] : [{ ...at, found: null, words, candidates }]
}

/** Returns the block height before a transfer is sent: its log can only be in later blocks. Null = no chain is read. */
async function heightFor({ chain, log }: Performing, { kind }: Leg): Promise<bigint | null> {
  if (chain === null || kind !== 'transfer') return null
  const height = await chain.height()
  if (!height.ok) log(`the height of the chain could not be read: ${height.error.words}`)
  return height.ok ? height.value : null
}

function callParts({ client, config, state, treasuryAddress }: Performing): LegCallParts {
  return { client, config: config(), seen: () => state() ?? NOTHING_SEEN, treasuryAddress }
}

type Read = { readonly facts: LegFacts; readonly value: Named }

/** Reads the resource of a leg. A string gives the reason for a failure; null = this kind of leg has no readable resource. */
async function readResource(client: PartnerClient, kind: LegKind, id: string): Promise<Read | string | null> {
  if (kind === 'deposit') return factsOrWords(await client.readDeposit({ id }), depositFacts)
  if (kind === 'withdrawal') return factsOrWords(await client.readWithdrawal({ id }), withdrawalFacts)
  if (kind === 'onramp' || kind === 'offramp')
    return factsOrWords(await client.readSettlement({ id }), settlementFacts)
  return null
}

function factsOrWords<Answer extends Named>(
  outcome: PartnerOutcome<Answer>,
  of: (answer: Answer) => LegFacts,
): Read | string {
  return outcome.kind === 'answered' ? { facts: of(outcome.value), value: outcome.value } : outcome.words
}
