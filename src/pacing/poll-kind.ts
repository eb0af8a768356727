/** What can be asked of the venue again and again. The public ones cost nothing of the key's budget. */
export type PollKind =
  | 'quoteBid'
  | 'quoteAsk'
  | 'fills'
  | 'rate'
  | 'balances'
  | 'account'
  | 'publicBid'
  | 'publicAsk'

/** Most valuable first: a quote we are not sure of, then fills, then the mid, then the books. */
export const POLL_KINDS = [
  'quoteBid',
  'quoteAsk',
  'fills',
  'rate',
  'balances',
  'account',
  'publicBid',
  'publicAsk',
] as const satisfies readonly PollKind[]

/** Those that leave the last few requests of the budget to quotes and fills. */
export function isLowPoll(kind: PollKind): boolean {
  return kind === 'rate' || kind === 'balances' || kind === 'account'
}

export function isPublicPoll(kind: PollKind): boolean {
  return kind === 'publicBid' || kind === 'publicAsk'
}
