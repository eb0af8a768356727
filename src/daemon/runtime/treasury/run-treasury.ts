import type { OperatorAnswer } from '../../console/position-port.ts'
import { randomBytes } from 'node:crypto'
import type { TreasuryNoticeCode } from '../../../core/alerts/treasury-alerts.ts'
import { encodeJson } from '../../../base/codec.ts'
import type { Ms } from '../../../base/time.ts'
import { errorText } from '../../../base/result.ts'
import type { TokenFinder } from '../../../custody/chain/token-finder.ts'
import type { LoadedTreasury } from '../../config/load/treasury.ts'
import type { TreasuryJournal } from '../../../store/treasury/journal.ts'
import type { PartnerClient } from '../../../treasury/api/client.ts'
import type { Treasury, TreasuryAudit } from '../../../treasury/core/treasury.ts'
import type { TreasuryState } from '../../../treasury/state.ts'
import { warningKey } from '../../../treasury/intents/plan-intent.ts'
import type { PlannedStep, TreasuryEvent, TreasuryOrder } from '../../../treasury/model/event.ts'
import type { Intent } from '../../../treasury/model/intent.ts'
import { formatTokens } from '../../../base/money/asset.ts'
import type { TreasuryObservation } from '../../../treasury/model/observation.ts'
import type { Plan } from '../../../treasury/model/plan-types.ts'
import { plan as planOf } from '../../../treasury/policy/plan.ts'
import { planPayout } from '../../../treasury/policy/plan-payout.ts'
import type { WebhookListener } from '../../../treasury/webhooks/listener.ts'
import type { WebhooksView } from '../../view/treasury-reading.ts'
import type { SystemClock } from '../position/clock.ts'
import type { RunningPosition } from '../position/run-position.ts'
import { configuredEvent } from './configured-event.ts'
import {
  foldTreasury,
  MOST_PARKED,
  type RecoveredTreasury,
  type TreasuryFold,
  type WebhookSeen,
} from './following/fold-treasury.ts'
import { createTreasuryLoop, type TreasuryLoop } from './treasury-loop.ts'
import { plannedStep } from './payee-lookup.ts'
import { createTreasuryPerformer } from './treasury-performer.ts'
import { runSkimClock } from './skim-clock.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { readStoreOrigin } from './store-origin.ts'
import { openWebhookIntake } from './webhook-intake.ts'

type RunTreasuryParts = {
  readonly recovered: RecoveredTreasury
  readonly config: LoadedTreasury
  readonly version: string
  readonly journal: TreasuryJournal
  readonly store: LoadedConfig['store']
  readonly client: PartnerClient
  /** Null = no chain is configured. */
  readonly chain: TokenFinder | null
  readonly position: Pick<RunningPosition, 'state' | 'command'>
  readonly clock: Pick<SystemClock, 'now' | 'wall'>
  readonly observe: (observation: TreasuryObservation) => void
  /** Raises an alert that does not come from the core. */
  readonly alert: (code: ShellAlert, message: string) => void
  readonly warn: (words: string) => void
}

/** The alerts that the runtime raises itself. */
type ShellAlert = Extract<TreasuryNoticeCode, 'treasury-webhook-refused' | 'treasury-failed'>

export type RunningTreasury = {
  readonly state: () => Readonly<TreasuryState> | null
  /** Returns the policy's current plan; null = nothing was read yet. */
  readonly plan: () => Plan | null
  readonly order: (order: TreasuryOrder, by: string, who: string) => Promise<OperatorAnswer>
  /** Called when the position was halted: holds approved intents that were not sent. */
  readonly halt: (since: Ms, why: string) => void
  /** Returns a sentence for each held payout. */
  readonly held: () => readonly string[]
  /** `author` is the token that reloaded; null = a file that changed. */
  readonly reload: (config: LoadedTreasury, author: string | null) => void
  /** Null = no listener runs. */
  readonly webhooks: () => WebhooksView | null
  readonly bankFormats: () => LoadedTreasury['bankFormats']
  readonly close: () => Promise<void>
}

const ENDED: OperatorAnswer = {
  accepted: false,
  answer: 'the treasury has stopped after a failure, which the log shows. Do: restart the daemon',
}
const NOT_DURABLE: OperatorAnswer = {
  accepted: false,
  answer:
    'the order could not be written to the store, so it is unknown whether it is in force: check the treasury before trying again',
}

/** Folds the journal, after the events that `ahead` already contains. Throws if the store or a row cannot be read. */
export function recoverTreasury(
  journal: Pick<TreasuryJournal, 'recover'>,
  ahead: TreasuryFold | null = null,
): RecoveredTreasury {
  const fold = ahead ?? foldTreasury()
  fold.add(journal.recover(fold.seq()))
  return fold.recovered()
}

/**
 * Runs the treasury next to its position: it sends events to the core and performs effects once their event is on disk.
 * Polls decide; webhooks only trigger them earlier. A failure here stops the treasury but not the trading.
 */
export async function runTreasury(parts: RunTreasuryParts): Promise<RunningTreasury> {
  const { recovered, client, chain, position, clock, alert, warn } = parts
  const { treasury, flow } = recovered
  let { config } = parts
  const closing = new AbortController()
  const parked = [...recovered.webhooks]
  const perform = createTreasuryPerformer({
    client,
    chain,
    config: () => config,
    state: treasury.state,
    position,
    flow,
    clock,
    webhooks: () => parked,
    signal: closing.signal,
    plan: (readAt) => plannedEvent(treasury, clock.now(), readAt),
    log: warn,
  })
  const onCrash = (error: unknown) =>
    alert('treasury-failed', `the treasury has stopped, and trading continues: ${errorText(error)}`)
  const loop = createTreasuryLoop({ ...parts, treasury, perform, onCrash })
  const halt = haltOnce(parts, loop)
  // Do this before anything is sent: the position may have been halted while no treasury ran.
  const { halted } = position.state().latch
  if (halted !== null) halt(halted.since, halted.why)
  await begin(parts, loop)
  const listener = await listenIfAsked(parts, loop, parked)
  const skim = runSkimClock(
    () => config.core.policy.skimCron,
    clock.now,
    () => void loop.submit({ type: 'skimDue', t: clock.now() }),
  )
  return {
    state: treasury.state,
    plan() {
      const input = treasury.planInput(clock.now())
      return input === null ? null : planOf(input)
    },
    halt,
    held: () => Object.values(treasury.state()?.intents ?? {}).flatMap(heldText),
    order: (order, by, who) => giveOrder(parts, loop, { order, by, who }),
    reload(next, author) {
      const isSame = encodeJson(next.core) === encodeJson(config.core)
      config = next
      // A reload that does not change the policy does not change its author.
      if (!isSame) loop.submit(configuredEvent(next.core, clock.now(), author))
    },
    bankFormats: () => config.bankFormats,
    webhooks: () => (listener === null ? null : { ...listener.counts(), port: listener.port }),
    async close() {
      closing.abort()
      skim.close()
      await listener?.close()
      loop.stop()
      await Promise.all([client.close(), chain?.close()])
    },
  }
}

/** Journals each halt once: an approval during a halt was given with knowledge of the halt. */
function haltOnce({ recovered, clock }: RunTreasuryParts, loop: TreasuryLoop): RunningTreasury['halt'] {
  return (since, why) => {
    const state = recovered.treasury.state()
    if (state === null || since <= (state.heldSince ?? -1)) return
    loop.submit({ type: 'halted', t: clock.now(), since, why })
  }
}

function heldText({ id, isHeld, endedAt, envelope }: Intent): readonly string[] {
  const { mostSpent, asset, destination } = envelope
  if (!isHeld || endedAt !== null) return []
  return [`the payout of up to ${formatTokens(mostSpent, asset)} ${asset} to ${destination} (intent ${id})`]
}

/** Opens the webhook listener if one is configured, and stores its events for the finders. */
function listenIfAsked(
  { recovered, config, clock, alert, warn }: RunTreasuryParts,
  loop: TreasuryLoop,
  parked: WebhookSeen[],
): Promise<WebhookListener | null> {
  const { webhooks: settings } = config
  if (settings === null) return Promise.resolve(null)
  const submitDurably: TreasuryLoop['submitDurably'] = (event, onAudit) => {
    if (event.type === 'webhookSeen') parked.push(event)
    if (parked.length > MOST_PARKED) parked.splice(0, parked.length - MOST_PARKED)
    return loop.submitDurably(event, onAudit)
  }
  const before = recovered.webhooks
  return openWebhookIntake({
    settings,
    now: clock.now,
    wall: clock.wall,
    loop: { submitDurably },
    before,
    alert,
    warn,
  })
}

/** Submits the first events of a process: the restart, which marks calls in flight as unanswered, and the configuration. */
async function begin(parts: RunTreasuryParts, loop: TreasuryLoop): Promise<void> {
  const { recovered, config, version, clock, store } = parts
  const origin = readStoreOrigin(store, recovered.hasRun)
  const configured = configuredEvent(config.core, clock.now(), null)
  const restarted = {
    type: 'restarted',
    t: clock.now(),
    version,
    isRestored: origin.isRestored,
    venue: `${config.partner.baseUrl}${config.partner.prefix}`,
  } as const
  const [first, second] = recovered.hasRun ? [restarted, configured] : [configured, restarted]
  loop.submit(first)
  // Adopt the copy of a store only once the journal has that its balances must be confirmed.
  if (await loop.submitDurably(second)) await origin.adopt()
}

/** Returns null if a leg moved after `readAt`: balances from before a movement would plan it a second time. */
function plannedEvent(treasury: Treasury, now: Ms, readAt: Ms): TreasuryEvent | null {
  const legs = Object.values(treasury.state()?.intents ?? {}).flatMap((intent) => intent.legs)
  if (legs.some(({ sentAt, endedAt }) => (endedAt ?? sentAt ?? 0) >= readAt)) return null
  const input = treasury.planInput(now)
  if (input === null) return null
  const { steps, warnings } = planOf(input)
  const known = treasury.state()?.planWarnings ?? []
  const isKnown = warnings.length === known.length && warnings.every((one) => known.includes(warningKey(one)))
  if (steps.length === 0 && isKnown) return null
  const planned = steps.map((step) => plannedStep(input.config, freshId(), step))
  return { type: 'planned', t: now, steps: planned, ...(isKnown ? {} : { warnings }) }
}

async function giveOrder(
  { recovered: { treasury }, clock }: RunTreasuryParts,
  loop: TreasuryLoop,
  { order, by, who }: { readonly order: TreasuryOrder; readonly by: string; readonly who: string },
): Promise<OperatorAnswer> {
  const t = clock.now()
  const planned = order.name === 'payout' ? payoutOf(treasury, t, order) : NO_PAYOUT
  let audit: TreasuryAudit | null = null
  const written = loop.submitDurably(
    { type: 'ordered', t, order, by, who, ...planned },
    (one) => (audit = one),
  )
  if (audit === null) return ENDED
  const answer = answerOf(audit)
  return (await written) ? answer : NOT_DURABLE
}

const NO_PAYOUT = { planned: null, refusal: null } as const

function payoutOf(
  treasury: Treasury,
  now: number,
  order: Extract<TreasuryOrder, { readonly name: 'payout' }>,
): { readonly planned: PlannedStep | null; readonly refusal: string | null } {
  const input = treasury.planInput(now)
  if (input === null) return { planned: null, refusal: 'no balances were read yet; try again in a moment' }
  const step = planPayout(input, order)
  return step.ok
    ? { planned: plannedStep(input.config, freshId(), step.value), refusal: null }
    : { planned: null, refusal: step.error }
}

function answerOf({ observations }: TreasuryAudit): OperatorAnswer {
  const answered = observations.find((one) => one.type === 'answered')
  return answered === undefined ? ENDED : { accepted: answered.accepted, answer: answered.answer }
}

/** Returns 128 random bits, which also are the reference of the intent at the venue. */
function freshId(): string {
  return randomBytes(16).toString('hex')
}
