import type { LegKind } from './intent.ts'

/** The kinds of legs that are calls of the partner API. */
export type MoneyKind = Exclude<LegKind, 'lpWithdrawal' | 'lpActivation' | 'lpDeactivation'>

/** The partner API's route for each kind of leg. */
export const ROUTE_OF: Readonly<Record<MoneyKind, string>> = {
  deposit: 'POST /deposits',
  transfer: 'POST /transfers',
  withdrawal: 'POST /withdrawals',
  swap: 'POST /swap',
  offramp: 'POST /ramp/offramp',
  onramp: 'POST /ramp/onramp',
  spend: 'POST /spend',
}

/** Every route with an Idempotency-Key that the treasury uses. */
export const KEYED_ROUTES = Object.values(ROUTE_OF)

/** What a venue has shown about its keys, by its URL, the mode of our key there, and the route. */
export type KeyMemory = {
  readonly venue: string
  /** Null = not read since the start, or unreadable: then nothing is learned, and nothing known is used. */
  readonly mode: 'live' | 'test' | null
  readonly seen: Readonly<Record<string, 'honoured' | 'ignored'>>
}
