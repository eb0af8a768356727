import { formatRate, type Rate, rateStepBps } from '../base/money/rate.ts'
import type { BestQuoteEvent } from '../core/engine/model/event.ts'
import type { VenueFailure } from '../core/engine/model/venue-answer.ts'
import { bad, type CheckResult, good, soft } from './check-result.ts'
import { createVenueCalls, type EndpointMethods, type VenueCalls } from './endpoints.ts'
import type { AnswerOf } from '../core/engine/model/venue-answer.ts'
import { quoteProbe } from './lp/quote.ts'
import type { DiagnoseOptions } from './port.ts'
import type { Sender } from './sender.ts'
import type { VenueSettings } from './settings.ts'

/** The mid of GET /rate and the protocol fee of GET /quote; null = not stated. */
export type NamedByKey = { mid: Rate | null; feeBps: number | null }

/** The parts of the client that the check uses. */
export type Diagnosed = EndpointMethods & Pick<Sender, 'send' | 'methodsOf'> & { readonly calls: VenueCalls }

const SHILLING_SYMBOLS = ['TZS_TOKEN', 'NTZS'] as const

/** Checks the public rate, and compares its mid and protocol fee with those that the key's answers name. */
export async function* diagnosePublic(
  client: Diagnosed,
  settings: VenueSettings,
  key: NamedByKey,
  { onMid, maxDeviationBps = null }: DiagnoseOptions,
): AsyncGenerator<CheckResult, void, undefined> {
  if (settings.publicUrl === null) {
    yield soft('public rate', 'off (venue.publicUrl is null)', "competitors' quotes are unknown")
    return
  }
  const accepted: string[] = []
  let named: AnswerOf<BestQuoteEvent> | null = null
  let failure: VenueFailure | null = null
  for (const shillingSymbol of SHILLING_SYMBOLS) {
    const { amount: probe } = quoteProbe(settings, 'ask')
    const call = createVenueCalls({ ...settings, shillingSymbol }).swapRate({ side: 'ask', probe })
    const rate = await client.send(call)
    if (rate.ok) {
      accepted.push(shillingSymbol)
      named = rate.value
    } else if (failure === null || shillingSymbol === settings.shillingSymbol) failure = rate.error
  }
  const { shillingSymbol: wanted } = settings
  if (accepted.length > 0 && (wanted === 'auto' || accepted.includes(wanted))) {
    if (named?.mid != null) onMid?.(named.mid)
    yield publicFinding(accepted, named, key, maxDeviationBps)
  } else if (accepted.length > 0) {
    yield bad('public rate', failure?.message ?? '', `set venue.shillingSymbol to ${accepted.join(' or ')}`)
  } else
    yield soft(
      'public rate',
      failure?.message ?? '',
      "competitors' quotes are unknown: check venue.publicUrl",
    )
}

/** Fills execute at the mid that the public rate names, where it names one: limits are compared with that. */
function publicFinding(
  accepted: readonly string[],
  named: { readonly mid: Rate | null; readonly protocolFeeBps: number | null } | null,
  key: NamedByKey,
  maxBps: number | null,
): CheckResult {
  const mid = named?.mid ?? null
  const feeBps = named?.protocolFeeBps ?? null
  const details = [`reachable; the shilling is ${accepted.join(' or ')} there`]
  const hints: string[] = []
  if (mid === null) details.push('it names no execution mid, so quotes use GET /rate')
  else details.push(`it names the execution mid ${formatRate(mid)}`)
  if (mid !== null && key.mid !== null && mid !== key.mid) {
    const bps = rateStepBps(key.mid, mid)
    details.push(`${Math.abs(bps).toFixed(1)} bps ${bps < 0 ? 'below' : 'above'} GET /rate`)
    hints.push(
      maxBps !== null && Math.abs(bps) > maxBps
        ? `only the safe quote stays beyond risk.maxReferenceDeviationBps (${maxBps}): ask the venue which mid applies`
        : 'quotes use the execution mid if the difference lasts',
    )
  }
  if (feeBps !== null && key.feeBps !== null && feeBps !== key.feeBps) {
    details.push(`its protocol fee is ${feeBps} bps where GET /quote names ${key.feeBps} bps`)
    hints.push('fills and balances decide which fee is booked; ask the venue which fee it charges')
  }
  const detail = details.join(', ').replace(', ', '; ')
  return hints.length === 0 ? good('public rate', detail) : soft('public rate', detail, hints.join('; '))
}
