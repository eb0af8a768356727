import { z } from 'zod'
import { knownActive, whyStillLeaving } from '../../core/engine/activation/leaving.ts'
import type { StopCommand } from '../../core/engine/model/event.ts'
import type { EngineState } from '../../core/engine/model/state.ts'
import { liveQuote, liveText, stopBanner } from '../../core/engine/quote/live-quote.ts'
import { transferText } from '../../core/engine/withdrawals/transfer-rules.ts'
import { isLive } from '../../core/rfq/open-order.ts'
import { bps, ms, type Shown } from './fields.ts'

export const liveSchema = z
  .object({
    stopped: z
      .boolean()
      .nullable()
      .describe('Whether takers can no longer trade at the strategy’s quote; null = unknown.'),
    bidBps: bps.nullable().describe('The last seen value; null = the side is closed, or no value was seen.'),
    askBps: bps.nullable(),
    status: z.enum(['confirmed', 'unknown', 'mismatch']),
    isActive: z.boolean().nullable(),
    openOrders: z
      .int()
      .nullable()
      .describe('Signed orders that can still be filled; null = capital is pooled.'),
    refusal: z
      .object({ status: z.int().nullable(), message: z.string(), at: ms })
      .nullable()
      .describe('The last write that the venue did not confirm; status null = no answer came.'),
    text: z.string(),
    banner: z.string().nullable().describe('Set while a stop is in force that the venue has not confirmed.'),
  })
  .describe('The last known state at the venue, as takers see it.')
type LiveView = Shown<z.infer<typeof liveSchema>>

/** The fields of a stop's answer besides `accepted` and `answer`. */
export const stopFields = {
  confirmed: z
    .boolean()
    .describe('Whether the venue has confirmed it; false = not yet, and the daemon keeps trying.'),
  live: liveSchema,
  leaving: z
    .string()
    .nullable()
    .describe('What a deactivation in progress waits for; null = no deactivation.'),
  held: z
    .array(z.string())
    .describe('Approved withdrawals and payouts that are held until another approval.'),
}
const stopSchema = z.object(stopFields)
export type StopView = Shown<z.infer<typeof stopSchema>>

export function liveView(state: EngineState): LiveView {
  const live = liveQuote(state)
  const { whyNotOut: _shownByText, wayBack: _alsoShown, refusal, ...shown } = live
  return {
    ...shown,
    refusal: refusal === null ? null : { status: refusal.status, message: refusal.message, at: refusal.at },
    text: liveText(live),
    banner: stopBanner(state, live),
  }
}

/** Returns the progress of an accepted stop. `payouts`: payments that the treasury holds. */
export function stopView(command: StopCommand, state: EngineState, payouts: readonly string[]): StopView {
  const live = liveView(state)
  const withdrawals = state.withdrawals.requests
    .filter(({ stage, heldAt }) => stage === 'approved' && heldAt !== undefined)
    .map((request) => `the withdrawal of ${transferText(request)} (key ${request.key})`)
  return {
    confirmed: isConfirmed(command, state, live),
    live:
      command.name === 'deactivate' && state.refusedWrite?.what === 'patch'
        ? { ...live, refusal: null }
        : live,
    leaving: whyStillLeaving(state),
    held: command.name === 'halt' ? [...withdrawals, ...payouts] : [],
  }
}

function isConfirmed(command: StopCommand, state: EngineState, live: LiveView): boolean {
  switch (command.name) {
    case 'halt':
    case 'pause':
      return live.stopped === true
    case 'deactivate':
      return knownActive(state) === false && !state.activation.leaving
    case 'cancelOrders':
      return !Object.values(state.rfq.openOrders).some(
        (open) => isLive(open) && (command.salts?.includes(open.order.salt) ?? true),
      )
    case 'stopSigning':
    case 'cancelWithdrawal':
      return true
  }
}

/** Returns the answer to a stop as text: what is in force, what the venue shows, and what to do if it is not confirmed. */
export function stopText(
  command: StopCommand,
  answer: string,
  { confirmed, live, leaving, held }: StopView,
): string {
  const said = [answer.charAt(0).toUpperCase() + answer.slice(1)]
  const isOfVenue = command.name !== 'stopSigning' && command.name !== 'cancelWithdrawal'
  if (isOfVenue && confirmed) said.push(`Confirmed at the venue: ${live.text}`)
  if (isOfVenue && !confirmed)
    said.push(
      `NOT confirmed at the venue${causeOf(live)}: ${missingText(command, live, leaving)}. Do: ${remedy(live)}`,
    )
  if (command.name === 'halt' && leaving !== null) said.push(`The deactivation continues: ${leaving}`)
  if (held.length > 0) said.push(`Held until another approval: ${held.join('; ')}`)
  return said.join('. ')
}

function causeOf({ refusal }: LiveView): string {
  return refusal === null ? '' : ` (${refusal.status ?? refusal.message})`
}

function missingText({ name }: StopCommand, live: LiveView, leaving: string | null): string {
  return name === 'deactivate' && leaving !== null ? `${live.text}; ${leaving}` : live.text
}

function remedy({ refusal }: LiveView): string {
  const status = refusal?.status
  const isKey = status === 401 || status === 403
  const first = isKey ? 'call the venue, which refuses the key; ' : 'wait: the daemon keeps trying; '
  return `${first}\`mizani status\` shows when it is confirmed, and docs/first-aid.md how to stop the quote without the daemon`
}
