import type { EngineState } from '../model/state.ts'
import type { Upcaster, Written } from './upcaster.ts'

/** 0.1.0 named these events after the venue's endpoints: PATCH /spread, the public GET /swap/rate, GET /rfq/info. */
export const VENUE_WORDS: readonly Upcaster[] = [
  renamed('spreadSet', 'quoteSet'),
  renamed('publicRate', 'bestQuote'),
  renamed('rfqInfo', 'solver'),
]

function renamed(before: string, type: string): Upcaster {
  return { type: before, below: 2, upcast: (written) => ({ ...written, type }) }
}

/** The request for the solver had the endpoint's name as well, and may have been in flight when the state was written. */
export function upcastVenueWords(written: Written): Written {
  const requests = Object.entries((written as EngineState).requests as Readonly<Record<string, Written>>)
  const lifted = requests.map(([id, request]) => [
    id,
    request['what'] === 'rfqInfo' ? { ...request, what: 'solver' } : request,
  ])
  return { ...written, requests: Object.fromEntries(lifted) }
}
