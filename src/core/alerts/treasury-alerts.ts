import { critical, info, warning, type Entry } from './entry.ts'

/** The alerts and notices of a treasury, from its core and its shell. */
export const TREASURY_ALERTS = {
  'treasury-approval-waiting': warning(
    'A movement of money waits for its approval',
    '`mizani treasury status` shows what is to move and to whom; `mizani treasury approve ID`, or `mizani treasury cancel ID`',
    'nothing of it is sent before its approval',
  ),
  'treasury-stopped': critical(
    'The treasury is stopped',
    '`mizani treasury status` shows why; settle it; then `mizani treasury resume`',
    'nothing new is sent',
  ),
  'treasury-resumed': info('The treasury sends again'),
  'treasury-unconfirmed': critical(
    'The books of the treasury are not confirmed',
    'compare the balances at the venue, at the bank and on chain with `mizani treasury status`; then `mizani treasury confirm-balances --reason "compared"`',
    'nothing is sent before they are confirmed',
  ),
  'treasury-payment-expected': warning(
    'A payment from the bank is expected',
    'pay exactly the amount of the first line with exactly its reference; `mizani treasury status` shows both',
    'it waits for the payment',
  ),
  'treasury-funds-missing': warning(
    'Funds are missing for a movement of money',
    'bring the tokens to the place in the first line, or `mizani treasury cancel ID`',
    'it waits, and continues once they are there',
  ),
  'treasury-step-unbuildable': warning(
    'A step of a movement of money cannot be made',
    'correct what the first line names in the configuration, or `mizani treasury cancel ID`',
    'the step is not sent',
  ),
  'treasury-intent-late': warning(
    'A movement of money takes longer than usual',
    '`mizani treasury status` shows where it is; do not send it again by hand, for it may still arrive',
    'it is not sent again',
  ),
  'treasury-intent-failed': warning(
    'A movement of money failed',
    '`mizani treasury history` shows why',
    'what was reserved for it is free again',
  ),
  'treasury-intent-reversed': critical(
    'A payout came back after it had arrived',
    'ask the payee before it is paid again; `mizani treasury history` shows it',
    'it is not paid again',
  ),
  'treasury-claim-open': critical(
    'Money was sent and is not found',
    '`mizani treasury claims` has every request with its answer; send that to the operator of the venue; book what they find: `mizani treasury resolve-claim --help`',
    'it is not sent again',
  ),
  'treasury-claim-resolved': info('A claim is resolved'),
  'treasury-venue-review': warning(
    'The venue holds a movement of money for review',
    'ask the operator of the venue; `mizani treasury status` shows it',
    'it waits; the money stays in the books',
  ),
  'treasury-rail-rested': warning(
    'A route failed twice and rests',
    '`mizani treasury history` has the reasons in the words of the venue',
    'other routes are used meanwhile',
  ),
  'treasury-rail-unreadable': warning(
    'A route cannot be read',
    '`mizani treasury status` shows since when; ask the operator of the route if it stays',
    'nothing new starts on what it carries',
  ),
  'treasury-step-refused': info('A step was refused'),
  'treasury-books-differ': warning(
    'The books of the treasury differ from what is there',
    '`mizani treasury status` shows the difference; find out what moved without the treasury before more is moved',
  ),
  'treasury-supply-fell': info(
    'The supply of the token fell',
    'compare it with what the operator of the venue announces; redemptions are ordinary',
  ),
  'treasury-supply-alarm': critical(
    'The token may not be backed',
    'ask the operator of the venue at once; `mizani deactivate` brings the pool home',
  ),
  'treasury-exit-short': warning(
    'Less could come home now than is deployed',
    'withdraw in parts, or deploy less; `mizani treasury status` shows both amounts',
  ),
  'treasury-calendar-ends': warning(
    'The calendar of holidays ends soon',
    'compare the holidays of the calendar file with the published list; set confirmedUntil',
  ),
  'treasury-no-route': warning(
    'No route brings the missing tokens',
    '`mizani treasury plan` shows every route with its reason; fund the side by hand, or allow a route that works',
    'the side goes off when it runs dry',
  ),
  'treasury-target-low': warning(
    'The target of a band is too low for its route',
    'raise the target of the band, or find a faster route; `mizani treasury plan` shows the forecast',
  ),
  'treasury-new-payee': warning(
    'A payee was added',
    'compare the account with what the payee gave you by another way; if you did not add it, `mizani treasury stop`',
    'the payee is not paid before its waiting time is over',
  ),
  'treasury-payee-admitted': warning(
    'A new payee can be paid from now on',
    'if you did not add it, `mizani treasury stop`, then take it from the list',
  ),
  'treasury-payee-renamed': critical(
    'The bank names another holder of the account of a payee',
    'ask the payee by another way; confirm the name where it is right; where it is not, `mizani treasury cancel ID` for what waits',
  ),
  'treasury-key-ignored': critical(
    'A route may have executed one payment twice',
    '`mizani treasury stop`; take the route from treasury.keysHonoured; ask the operator which of the two payments comes back',
  ),
  'treasury-webhook-refused': warning(
    'Webhooks are refused',
    'find out who reaches the listener; compare clock and secret with those of the venue',
    'nothing was taken from them, and polling continues',
  ),
  'treasury-failed': critical(
    'The treasury ended',
    'read the log; restart the daemon; `mizani treasury status` shows what was under way',
    'trading continues without the treasury',
  ),
} as const satisfies Readonly<Record<string, Entry>>

export type TreasuryNoticeCode = keyof typeof TREASURY_ALERTS
