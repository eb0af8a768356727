import { critical, info, warning, type Entry } from './entry.ts'

/** What people hear of a treasury: what its core raises, and what its shell notices. */
export const TREASURY_ALERTS = {
  'treasury-approval-waiting': warning('look at what is to move and to whom, then approve or cancel it'),
  'treasury-stopped': critical('nothing is sent until somebody resumes it'),
  'treasury-resumed': info(),
  'treasury-unconfirmed': critical(
    'compare the balances at the venue, at the bank and on chain with the books, then confirm them',
  ),
  'treasury-payment-expected': warning('pay exactly this amount with exactly this reference'),
  'treasury-funds-missing': warning(
    'bring the tokens to the named place, or cancel the intent; it goes on by itself once they are there',
  ),
  'treasury-step-unbuildable': warning(
    'correct what the reason names in the configuration, or cancel the intent',
  ),
  'treasury-intent-late': warning('look where it is; nothing is sent again by itself'),
  'treasury-intent-failed': warning('read why; what was reserved for it is free again'),
  'treasury-intent-reversed': critical(
    'a payout came back after it had arrived: ask the payee before it is paid again',
  ),
  'treasury-claim-open': critical(
    'send the evidence to the operator of the venue; it is never sent again by itself',
  ),
  'treasury-claim-resolved': info(),
  'treasury-venue-review': warning('the venue holds it: ask its operator, the money is not lost'),
  'treasury-rail-rested': warning('the route failed twice and rests; others are used meanwhile'),
  'treasury-rail-unreadable': warning('nothing new starts on what it carries until it can be read'),
  'treasury-step-refused': info(),
  'treasury-books-differ': warning('find out what moved without the treasury, before more is moved'),
  'treasury-supply-fell': info('redemptions are ordinary; compare with what the operator announces'),
  'treasury-supply-alarm': critical('the token may not be backed: ask the operator of the venue at once'),
  'treasury-exit-short': warning(
    'less could come home now than is deployed: withdraw in parts, or deploy less',
  ),
  'treasury-calendar-ends': warning(
    'compare the holidays of the calendar file with the published list, then set confirmedUntil',
  ),
  'treasury-no-route': warning('the side will go off: fund it by hand, or allow a route that works'),
  'treasury-target-low': warning('raise the target of the band, or find a route that is faster'),
  'treasury-new-payee': warning(
    'compare the account with what the payee gave you by another way; if nobody of yours added it, stop the treasury',
  ),
  'treasury-payee-admitted': warning(
    'from now on it can be paid; if nobody of yours added it, stop the treasury and take it from the list',
  ),
  'treasury-payee-renamed': critical(
    'ask the payee by another way; confirm the name where it is right, and cancel what waits where it is not',
  ),
  'treasury-key-ignored': critical(
    'stop the treasury, take the route from treasury.keysHonoured, and ask the operator which of the two payments comes back',
  ),
  'treasury-webhook-refused': warning(
    'polling goes on; see who reaches the listener, and that clock and secret are right',
  ),
  'treasury-failed': critical('trading goes on without the treasury: read the log and restart the daemon'),
} as const satisfies Readonly<Record<string, Entry>>

export type TreasuryNoticeCode = keyof typeof TREASURY_ALERTS
