/** What each panel shows, in one or two sentences, by the id of its heading. */
export const HELP: Readonly<Record<string, string>> = {
  quote:
    'The bid sells dollars above the mid, the ask buys them below it; bps are hundredths of a percent. Confirmed means that the venue answered with this quote.',
  inventory:
    'What the position holds. A side switches off where more of it would pass a limit; the mark in the middle is the target share of dollars.',
  pnl: 'Value now, less the opening value and transfers. Spread: earned against the venue’s mid. Stale mid: what takers gained or lost because that mid differed from the fair value. Inventory: what holding both tokens earned.',
  health:
    'Whether the ledger equals the venue’s balances, how many requests of this minute are left, and whether mid and feeds are fresh.',
  research:
    'Replays a recorded market with the present configuration (backtest), or this position’s own history with other parameters (what-if). Nothing is sent to the venue.',
  charts:
    'Samples are taken once a minute; the latest values are added as they arrive. Drag to zoom. Upright lines mark halts, resumptions, reloads and critical alerts.',
  days: 'What each UTC day earned: the total at its end less the total at its start. A day without a figure has no sample, because the daemon did not run.',
  fills:
    'Swaps against our quote. Spread capture: earned against the venue’s mid at the time, after its fee, with any slippage that it pays us; the PnL’s edge is against the fair value. 5 min, 1 h, 1 d: how far the mid then moved in our favour; below zero, the taker knew more.',
  log: 'What the daemon noticed and did, newest first. Critical events were also sent as notifications, if any are configured.',
  orders:
    'A signed order may be executed by the solver until it is filled, cancelled on chain or past its expiry. Committed amounts are not free for other orders.',
  risk: 'What the position may lose in a day and a week, in the calibrated model and in the worst simulated market, and in a stress.',
  scorecard: 'How the present parameters did against simple alternatives over the same market.',
  challenger: 'A second strategy that sees the same market and sends nothing, for comparison.',
  alerts:
    'Critical alerts that repeat until a person acknowledges them. Acknowledging ends the reminders, not the cause.',
  withdrawals:
    'One token requests, another approves, and the cool-off passes; only then is a withdrawal sent.',
  proposals:
    'Commands that were proposed without the permission to send them. Accepting sends the command in your name.',
  units: 'Where the money is: at the venue, in the wallet, at the bank, and on its way.',
  intents:
    'Each line is one movement of money with all its steps. Nothing is sent outside the limits that were approved.',
  ended: 'Movements that are over, with what arrived and what they cost.',
  plan: 'What the policy would move next, and why.',
  rails: 'Ways from one place to another, with the cost, time and failures that were learned.',
  claims:
    'Payments whose outcome is not proven. They are never sent again by themselves: a person decides with the evidence.',
  payees: 'Accounts that may receive a payout, each with its limit.',
  identity: 'The account at the partner in whose name payments are made.',
  forecast: 'When each token runs out or overflows if the last days repeat.',
  bank: 'Entries of the bank’s file, matched to payments that the books expect.',
  'no-treasury': 'A treasury moves money between bank, wallet and venue by a policy.',
}

/** The page of the documentation that has more, where there is one. */
export const HELP_PAGES: Readonly<Record<string, string>> = {
  quote: 'venue',
  inventory: 'accounting',
  pnl: 'accounting',
  health: 'operations',
  research: 'backtests',
  days: 'accounting',
  fills: 'accounting',
  log: 'notifications',
  orders: 'self-custody',
  risk: 'risk',
  challenger: 'challenger',
  alerts: 'runbook',
  withdrawals: 'withdrawals',
  proposals: 'assistants',
  intents: 'treasury',
  claims: 'treasury',
  payees: 'treasury',
  bank: 'bank-files',
  'no-treasury': 'treasury',
}
