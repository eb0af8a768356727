import { critical, info, warning, type Entry } from './entry.ts'

/** The alerts and notices of a treasury, from its core and its shell. */
export const TREASURY_ALERTS = {
  'treasury-approval-waiting': warning(
    'A movement of money waits for its approval',
    '`mizani treasury status` shows the amount and the recipient; `mizani treasury approve ID`, or `mizani treasury cancel ID`',
    'it is not sent before its approval',
  ),
  'treasury-stopped': critical(
    'The treasury is stopped',
    '`mizani treasury status` shows why; fix the cause; then `mizani treasury resume`',
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
    'correct the setting that the first line names, or `mizani treasury cancel ID`',
    'the step is not sent',
  ),
  'treasury-intent-late': warning(
    'A movement of money takes longer than usual',
    '`mizani treasury status` shows where it is; do not send it again by hand: it may still arrive',
    'it is not sent again',
  ),
  'treasury-intent-failed': warning(
    'A movement of money failed',
    '`mizani treasury history` shows why',
    'the amount reserved for it is free again',
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
    'A route failed twice and is paused',
    '`mizani treasury history` has the reasons in the words of the venue',
    'other routes are used meanwhile',
  ),
  'treasury-rail-unreadable': warning(
    'A route cannot be read',
    '`mizani treasury status` shows since when; ask the operator of the route if it stays',
    'no new movement starts on this route',
  ),
  'treasury-step-refused': info('A step was refused'),
  'treasury-books-differ': warning(
    'The books of the treasury differ from the actual balances',
    '`mizani treasury status` shows the difference; find out what moved without the treasury before moving more',
  ),
  'treasury-supply-fell': info(
    'The supply of the token fell',
    'compare it with what the operator of the venue announces; redemptions are normal',
  ),
  'treasury-supply-alarm': critical(
    'The token may not be backed',
    'ask the operator of the venue at once; `mizani deactivate` brings the pool home',
  ),
  'treasury-exit-short': warning(
    'The amount that could come home now is less than the amount deployed',
    'withdraw in parts, or deploy less; `mizani treasury status` shows both amounts',
  ),
  'treasury-calendar-ends': warning(
    'The calendar of holidays ends soon',
    'compare the holidays of the calendar file with the published list; set confirmedUntil',
  ),
  'treasury-no-route': warning(
    'No route brings the missing tokens',
    '`mizani treasury plan` shows why each route is ruled out; fund the side by hand, or allow a route that works',
    'the side goes off when it runs dry',
  ),
  'treasury-target-low': warning(
    'The target of a band is too low for its route',
    'raise the target of the band, or find a faster route; `mizani treasury plan` shows the forecast',
  ),
  'treasury-new-payee': warning(
    'A payee was added',
    'confirm the account with the payee through another channel; if you did not add it, `mizani treasury stop`',
    'the payee is not paid before its waiting time is over',
  ),
  'treasury-payee-admitted': warning(
    'A new payee can be paid from now on',
    'if you did not add it, `mizani treasury stop`, then remove it from the list',
  ),
  'treasury-payee-renamed': critical(
    "The bank names a different holder of a payee's account",
    'ask the payee through another channel; if the name is right, confirm it; if not, `mizani treasury cancel ID` for each waiting payment',
  ),
  'treasury-key-ignored': critical(
    'A route may have executed one payment twice',
    '`mizani treasury stop`; remove the route from treasury.keysHonoured; ask the operator which of the two payments comes back',
  ),
  'treasury-webhook-refused': warning(
    'Webhooks are refused',
    "find out who reaches the listener; compare the clock and the secret with the venue's",
    'the deliveries were rejected, and polling continues',
  ),
  'treasury-failed': critical(
    'The treasury ended',
    'read the log; restart the daemon; `mizani treasury status` shows what was in progress',
    'trading continues without the treasury',
  ),
} as const satisfies Readonly<Record<string, Entry>>

export type TreasuryNoticeCode = keyof typeof TREASURY_ALERTS
