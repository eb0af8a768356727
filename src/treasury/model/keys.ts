import type { LegKind } from './intent.ts'

/** The kinds of legs that are calls of the partner API. */
export type MoneyKind = Exclude<LegKind, 'lpWithdrawal' | 'lpActivation' | 'lpDeactivation'>

/** The route of the partner API that a leg of each kind is sent to. */
export const ROUTE_OF: Readonly<Record<MoneyKind, string>> = {
  deposit: 'POST /deposits',
  transfer: 'POST /transfers',
  withdrawal: 'POST /withdrawals',
  swap: 'POST /swap',
  offramp: 'POST /ramp/offramp',
  onramp: 'POST /ramp/onramp',
  spend: 'POST /spend',
}

/** Every route that takes an Idempotency-Key and that the treasury uses. */
export const KEYED_ROUTES = Object.values(ROUTE_OF)

/** What a venue has shown of its keys, by its URL, the mode of our key there, and the route. */
export type KeyMemory = {
  readonly venue: string
  /** Null = it was not read since the process started, or could not be: then nothing is learned, and nothing known is used. */
  readonly mode: 'live' | 'test' | null
  readonly seen: Readonly<Record<string, 'honoured' | 'ignored'>>
}
