import { Counter, Gauge, Registry } from 'prom-client'
import { absentGauge } from './optional-gauge.ts'

/** The metrics of one treasury, made for one scrape: what is not set has no series. */
export type TreasuryMetrics = ReturnType<typeof createTreasuryMetrics>

export function createTreasuryMetrics() {
  const registry = new Registry()
  return {
    registry,
    ...placeMetrics(registry),
    ...intentMetrics(registry),
    ...trustMetrics(registry),
    ...outsideMetrics(registry),
  }
}

/** A gauge `mizani_treasury_<name>`; without labels it has no series before it is set. */
function gaugeIn(registry: Registry) {
  const registers = [registry]
  return {
    plain: (name: string, help: string): Gauge => absentGauge(registry, `mizani_treasury_${name}`, help),
    by: <Label extends string>(name: string, labelNames: readonly Label[], help: string): Gauge<Label> =>
      new Gauge({ name: `mizani_treasury_${name}`, help, labelNames, registers }),
  }
}

/** Where every unit is, and how long it lasts. */
function placeMetrics(registry: Registry) {
  const { plain, by } = gaugeIn(registry)
  return {
    readingAgeSeconds: plain(
      'reading_age_seconds',
      'Age of the last reading of all balances. Absent before the first one.',
    ),
    onHand: by(
      'on_hand',
      ['place', 'token'],
      'What was read at a place, in whole tokens: pool, lpWallet, treasury, platform, float. Absent while the place cannot be read.',
    ),
    inTransit: by(
      'in_transit',
      ['token'],
      'What left its place and has not arrived, by the books, in whole tokens.',
    ),
    reserved: by(
      'reserved',
      ['token'],
      'What open intents will take and have not sent yet, in whole tokens.',
    ),
    claimed: by(
      'claimed',
      ['token'],
      'What no one can tell the place of, in whole tokens. Above 0: an operator of the venue has to look for it.',
    ),
    counted: by(
      'counted',
      ['token'],
      'What the band of a token is compared with: pool, LP wallet and treasury, in whole tokens, as they were read. Absent without a band, or while one of them cannot be read.',
    ),
    band: by(
      'band',
      ['token', 'bound'],
      'The band of a token, in whole tokens: refill_below, target, skim_above. Absent where the policy has none.',
    ),
    dryInSeconds: by(
      'runs_dry_seconds',
      ['token'],
      'Time until a token of the position is expected to run out, by the forecast. Absent while it lasts beyond the forecast.',
    ),
  }
}

/** What moves, and who is waited for. */
function intentMetrics(registry: Registry) {
  const { plain, by } = gaugeIn(registry)
  return {
    stopped: plain(
      'stopped',
      '1 = nothing is sent: a person stopped the treasury, or balances have to be confirmed after a restore. 0 = neither.',
    ),
    intents: by('intents', ['stage'], 'Open intents by stage. What has ended and claims are not counted.'),
    late: plain(
      'intents_late',
      'Open intents that take longer than 95 of 100 of their kind were expected to take.',
    ),
    claims: plain('claims_open', 'Intents that are claims: their money was sent and is not found.'),
    approvals: plain('approvals_waiting', 'Intents that wait for the consent of people.'),
    approvalAgeSeconds: plain(
      'approval_age_seconds',
      'Time since the oldest intent that waits for consent was planned. Absent while none waits.',
    ),
  }
}

/** Whether the books, the token and the way home are sound. */
function trustMetrics(registry: Registry) {
  const { plain, by } = gaugeIn(registry)
  return {
    residualTzs: plain(
      'residual_tzs',
      'Value of the whole desk minus all terms that explain it, TZS. 0, or the books have a fault. Absent while there is no mid.',
    ),
    supplyAlarm: plain(
      'supply_alarm',
      '1 = the backing of the token is in doubt: two daily reconciliations were negative, or the chain has another supply than the venue reports. 0 = it is not.',
    ),
    supplyDifference: plain(
      'supply_difference_tzs',
      "Difference of the venue's last reconciliation, TZS; negative = tokens without backing. Absent before the first one.",
    ),
    reconciledAgeSeconds: plain(
      'supply_difference_age_seconds',
      'Age of that reconciliation. Absent before the first one.',
    ),
    supplyAgeSeconds: plain(
      'supply_age_seconds',
      'Age of the last reading of the supply. Absent before the first one.',
    ),
    exitShare: plain(
      'exit_share',
      'Share of the desk that could come home now, 0 to 1. Absent while it cannot be valued.',
    ),
    exitTzs: by(
      'exit_tzs',
      ['part'],
      'What that share is of, TZS: at_hand (own wallets and floats), from_pool (what a deactivation brings back), waiting (in transit or claimed).',
    ),
  }
}

/** The rails, the webhooks and the calendar. */
function outsideMetrics(registry: Registry) {
  const { plain, by } = gaugeIn(registry)
  return {
    railFailures: by(
      'rail_failures',
      ['route'],
      'Intents over a route that failed, of all that the store remembers.',
    ),
    railRested: by(
      'rail_rested',
      ['route'],
      '1 = the route failed twice in a row and no new intent uses it for a while, 0 = it may be used.',
    ),
    webhooks: new Counter({
      name: 'mizani_treasury_webhooks_total',
      help: 'Webhooks since this process started: kept, repeated, lost (not durable, so the venue sends it again), or refused by why: forged, stale, headers, flood, size, broken, method. Absent without a listener.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    calendarLeftSeconds: plain(
      'calendar_left_seconds',
      'Time until the last day of the confirmed list of bank holidays, in whole days; negative = it has passed.',
    ),
  }
}
