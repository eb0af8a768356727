import { type Counter, Registry } from 'prom-client'
import { DAY_MS, SECOND_MS } from '../../../base/time.ts'
import type { TreasuryFigures } from '../../view/treasury/treasury-figures.ts'
import { counter } from './metrics.ts'
import { gaugesOf, registerGauges } from './view-gauges.ts'

const OPEN_STAGES = [
  'awaiting_approval',
  'approved',
  'held',
  'waiting_for_funds',
  'planned',
  'quoted',
  'sending',
  'silent',
  'known',
  'in_transit',
] as const
/** The places that a band covers. */
const COUNTED: readonly string[] = ['pool', 'lpWallet', 'treasury']

/** Every outcome has a series from the start, so that a rule can see its first increase. */
const WEBHOOK_REFUSALS = [
  'forged',
  'stale',
  'headers',
  'flood',
  'size',
  'broken',
  'method',
] as const satisfies readonly (keyof NonNullable<TreasuryFigures['webhooks']>['refused'])[]

const { single, labelled } = gaugesOf<TreasuryFigures>()

/** Gauges of where the capital is, and how long it lasts. */
const PLACE_GAUGES = [
  single(
    'mizani_treasury_reading_age_seconds',
    'Age of the last reading of all balances. Absent before the first one.',
    ({ now, holdings }) => secondsFrom(holdings.at, now),
  ),
  labelled(
    'mizani_treasury_on_hand',
    ['place', 'token'],
    'Last balance read at a place, in whole tokens: pool, lpWallet, treasury, platform, float. Absent while the place cannot be read.',
    ({ holdings: { places, tokens } }) =>
      places.flatMap(({ place, onHand }) =>
        tokens.map(({ asset }) => [place, asset, onHand?.[asset]] as const),
      ),
  ),
  labelled(
    'mizani_treasury_in_transit',
    ['token'],
    'Amount in transit according to the books, in whole tokens.',
    ({ holdings }) => holdings.tokens.map(({ asset, inTransit }) => [asset, inTransit]),
  ),
  labelled(
    'mizani_treasury_reserved',
    ['token'],
    'Amount reserved for open intents and not sent yet, in whole tokens.',
    ({ holdings }) => holdings.tokens.map(({ asset, reserved }) => [asset, reserved]),
  ),
  labelled(
    'mizani_treasury_claimed',
    ['token'],
    'Amount whose location is unknown, in whole tokens. Above 0: an operator of the venue has to look for it.',
    ({ holdings }) => holdings.tokens.map(({ asset, claims }) => [asset, claims]),
  ),
  labelled(
    'mizani_treasury_counted',
    ['token'],
    'Balance compared with the band of a token: the sum of pool, LP wallet and treasury as last read, in whole tokens. Absent without a band, or while one of them cannot be read.',
    ({ holdings: { places, tokens } }) =>
      places.some(({ place, onHand }) => COUNTED.includes(place) && onHand === null)
        ? []
        : tokens.map(({ asset, band }) => [asset, band?.counted]),
  ),
  labelled(
    'mizani_treasury_band',
    ['token', 'bound'],
    'The band of a token, in whole tokens: refill_below, target, skim_above. Absent if the policy has none.',
    ({ holdings }) =>
      holdings.tokens.flatMap(({ asset, band }) => [
        [asset, 'refill_below', band?.refillBelow] as const,
        [asset, 'target', band?.target] as const,
        [asset, 'skim_above', band?.skimAbove] as const,
      ]),
  ),
  labelled(
    'mizani_treasury_runs_dry_seconds',
    ['token'],
    'Forecast time until a token of the position runs out. Absent if it lasts beyond the forecast.',
    ({ runsDry, now }) => runsDry.map(({ asset, at }) => [asset, at === null ? null : secondsFrom(now, at)]),
  ),
]

/** Gauges of movements in progress and what they wait for. */
const INTENT_GAUGES = [
  single(
    'mizani_treasury_stopped',
    '1 = nothing is sent: a person stopped the treasury, or balances have to be confirmed after a restore. 0 = neither.',
    ({ isStopped }) => isStopped,
  ),
  labelled(
    'mizani_treasury_intents',
    ['stage'],
    'Open intents by stage. Ended intents and claims are not counted.',
    ({ open }) => OPEN_STAGES.map((stage) => [stage, open.filter((one) => one.stage === stage).length]),
  ),
  single(
    'mizani_treasury_intents_late',
    'Open intents that have exceeded the 95th percentile of the expected duration of their kind.',
    ({ open }) => open.filter(({ isLate }) => isLate).length,
  ),
  single(
    'mizani_treasury_claims_open',
    'Intents that became claims: their money was sent and has not been found.',
    ({ claims }) => claims,
  ),
  single(
    'mizani_treasury_approvals_waiting',
    'Intents that wait for approval.',
    (figures) => waitingSince(figures).length,
  ),
  single(
    'mizani_treasury_approval_age_seconds',
    'Time since the oldest intent that waits for approval was planned. Absent while none waits.',
    (figures) => secondsFrom(waitingSince(figures)[0] ?? null, figures.now),
  ),
]

/** Gauges of the health of the books, the token, withdrawals, the rails and the calendar. */
const TRUST_GAUGES = [
  single(
    'mizani_treasury_residual_tzs',
    'Value of the whole desk minus all terms that explain it, TZS. Any value other than 0 is a fault in the books. Absent while there is no mid.',
    ({ residualTzs }) => residualTzs,
  ),
  single(
    'mizani_treasury_supply_alarm',
    '1 = the backing of the token is in doubt: two daily reconciliations were negative, or the chain has another supply than the venue reports. 0 = it is not.',
    ({ supply }) => supply.alarm !== null,
  ),
  single(
    'mizani_treasury_supply_difference_tzs',
    "Difference of the venue's last reconciliation, TZS; negative = tokens without backing. Absent before the first one.",
    ({ supply }) => supply.difference,
  ),
  single(
    'mizani_treasury_supply_difference_age_seconds',
    'Age of that reconciliation. Absent before the first one.',
    ({ supply, now }) => secondsFrom(supply.reconciledAt, now),
  ),
  single(
    'mizani_treasury_supply_age_seconds',
    'Age of the last reading of the supply. Absent before the first one.',
    ({ supply, now }) => secondsFrom(supply.at, now),
  ),
  single(
    'mizani_treasury_exit_share',
    'Share of the desk that could come home now, 0 to 1. Absent while it cannot be valued.',
    ({ exit }) => (exit === null ? null : exit.homeBps / 10_000),
  ),
  labelled(
    'mizani_treasury_exit_tzs',
    ['part'],
    'Amounts behind that share, TZS: at_hand (own wallets and floats), from_pool (returned by a deactivation), waiting (in transit or claimed).',
    ({ exit }) => [
      ['at_hand', exit?.atHand],
      ['from_pool', exit?.fromPool],
      ['waiting', exit?.waiting],
    ],
  ),
  labelled(
    'mizani_treasury_rail_failures',
    ['route'],
    'Failed intents over a route, among all intents in the store.',
    ({ rails }) => rails.map(({ route, failures }) => [route, failures]),
  ),
  labelled(
    'mizani_treasury_rail_rested',
    ['route'],
    '1 = the route failed twice in a row and no new intent uses it for a while, 0 = it may be used.',
    ({ rails, now }) =>
      rails.map(({ route, restedUntil }) => [route, restedUntil !== null && restedUntil > now]),
  ),
  single(
    'mizani_treasury_calendar_left_seconds',
    'Time until the last day of the confirmed list of bank holidays, in whole days; negative = it has passed.',
    ({ calendarDaysLeft }) => (calendarDaysLeft * DAY_MS) / SECOND_MS,
  ),
]

/** Creates the metrics of one treasury for one scrape; unknown values have no series. */
export function createTreasuryMetrics() {
  const registry = new Registry()
  const showGauges = registerGauges(registry, [...PLACE_GAUGES, ...INTENT_GAUGES, ...TRUST_GAUGES])
  const webhooks = counter(
    registry,
    'mizani_treasury_webhooks_total',
    'Webhooks since this process started: kept, repeated, lost (not durable, so the venue sends it again), or refused by why: forged, stale, headers, flood, size, broken, method. Absent without a listener.',
    ['outcome'],
  )
  return {
    registry,
    show: (figures: TreasuryFigures): void => {
      showGauges(figures)
      if (figures.webhooks !== null) countWebhooks(webhooks, figures.webhooks)
    },
  }
}

function countWebhooks(webhooks: Counter<'outcome'>, counts: NonNullable<TreasuryFigures['webhooks']>): void {
  for (const outcome of ['kept', 'repeated', 'lost'] as const) webhooks.inc({ outcome }, counts[outcome])
  for (const outcome of WEBHOOK_REFUSALS) webhooks.inc({ outcome }, counts.refused[outcome] ?? 0)
}

/** Returns the planning times of the intents that wait for approval, oldest first. */
function waitingSince({ open }: TreasuryFigures): readonly number[] {
  return open
    .flatMap(({ stage, plannedAt }) => (stage === 'awaiting_approval' ? [plannedAt] : []))
    .toSorted((one, other) => one - other)
}

/** Returns the seconds between two times, at least 0. */
function secondsFrom(from: number | null, to: number): number | null {
  return from === null ? null : Math.max(0, to - from) / SECOND_MS
}
