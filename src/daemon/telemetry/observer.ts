import { raisedCodes } from '../../core/alerts/core-alerts.ts'
import { RISK_RULE_NAMES } from '../../core/alerts/risk-rules.ts'
import { MINUTE_MS, type Ms } from '../../base/time.ts'
import { entryOf } from '../catalogue/catalogue.ts'
import type { Count, ObservationOf } from '../catalogue/entry.ts'
import type { Observation } from '../../core/engine/model/observation.ts'
import type { Log } from './log/log.ts'
import { ORDER_CODES, REQUOTE_REASONS, wordOf, type Vocabulary } from './metrics/metric-labels.ts'
import type { Metrics } from './metrics/metrics.ts'

export type Observe = (observation: Observation) => void

/** The level of a log line by the severity of its observation. */
const LEVEL = { debug: 'debug', info: 'info', warning: 'warn', critical: 'error' } as const
type Level = (typeof LEVEL)[keyof typeof LEVEL]

/** The allowed values of a counter's label; any other value is counted as 'other'. */
const WORDS: Readonly<Record<string, Readonly<Record<string, Vocabulary>>>> = {
  requotes: { reason: REQUOTE_REASONS },
  riskRefusals: { rule: RISK_RULE_NAMES },
  alerts: { code: [...raisedCodes().keys()] },
  rfqRejected: { code: ORDER_CODES },
}

/**
 * The only path from the core to the log and the counters: each observation writes one line, whose `event` is its
 * type, and is counted as its catalogue entry defines. Trading code calls neither directly.
 */
export function createObserver(log: Log, metrics: Metrics): Observe {
  const logQuarantined = createQuarantineLog(log)
  return (observation) => {
    const entry = entryOf(observation)
    if (entry === null) return
    for (const count of entry.counts?.(observation) ?? []) increment(metrics, count)
    const level = LEVEL[entry.severity(observation)]
    if (observation.type === 'rowQuarantined') return logQuarantined(observation, level)
    if (!log.isLevelEnabled(level)) return
    log[level]({ event: observation.type, ...entry.fields(observation) }, entry.sentence(observation))
  }
}

function increment(metrics: Metrics, { counter, labels, by = 1 }: Count): void {
  const words = WORDS[counter] ?? {}
  const bounded = Object.entries(labels).map(([label, value]) => {
    const vocabulary = words[label]
    return [label, vocabulary === undefined ? value : wordOf(vocabulary, value)]
  })
  metrics[counter].inc(Object.fromEntries(bounded), by)
}

/**
 * Every row is counted and stored. The log has the first row, then at most one line per minute, with the number of
 * rows since the line before.
 */
function createQuarantineLog(log: Log): (observation: ObservationOf<'rowQuarantined'>, level: Level) => void {
  let loggedAt: Ms | null = null
  let unlogged = 0
  return (observation, level) => {
    const { t, row } = observation
    unlogged += 1
    if (loggedAt !== null && t - loggedAt < MINUTE_MS && t >= loggedAt) return
    const line = { event: 'rowQuarantined', rows: unlogged, id: row.id, reason: row.reason, raw: row.raw }
    log[level](
      line,
      `${unlogged === 1 ? 'a fill row is' : `${unlogged} fill rows are`} quarantined: ${row.reason}`,
    )
    loggedAt = t
    unlogged = 0
  }
}
