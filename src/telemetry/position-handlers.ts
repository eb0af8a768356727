import { raisedCodes } from '../alerts/core-alerts.ts'
import { formatRate } from '../money/rate.ts'
import type { Log } from './log/log.ts'
import type { Handlers } from './handlers.ts'
import type { Metrics } from './metrics/metrics.ts'
import { LEVEL_OF_SEVERITY, wordOf } from './metrics/metric-labels.ts'
import { RISK_RULE_NAMES } from '../alerts/risk-rules.ts'

const RAISED = [...raisedCodes().keys()]

type PositionType =
  | 'refusal'
  | 'tradingStateChanged'
  | 'strategySuspended'
  | 'strategyLoaded'
  | 'activationChanged'
  | 'withdrawn'
  | 'requestFailed'
  | 'operator'
  | 'alert'
  | 'sample'

/** What became of the position as a whole: risk's word, the operator's, the venue's refusals. */
export function positionHandlers(log: Log, metrics: Metrics): Handlers<PositionType> {
  return {
    refusal({ rule, limit, actual, message }) {
      metrics.riskRefusals.inc({ rule: wordOf(RISK_RULE_NAMES, rule) })
      log.warn({ event: 'refusal', rule, limit, actual }, message)
    },
    tradingStateChanged({ from, to, why }) {
      const line = { event: 'tradingStateChanged', from, to, why }
      if (to === 'HALTED') log.error(line, `HALTED: ${why}`)
      else if (to === 'REDUCING') log.warn(line, `REDUCING: ${why}`)
      else log.info(line, `ACTIVE: ${why}`)
    },
    strategySuspended({ why }) {
      log.error({ event: 'strategySuspended', why }, `the strategy is suspended: ${why}`)
    },
    strategyLoaded({ use, params, sourceHash }) {
      log.info({ event: 'strategyLoaded', use, params, sourceHash }, `strategy ${use}`)
    },
    activationChanged({ isActive, partial }) {
      const line = { event: 'activationChanged', isActive, partial }
      if (partial) log.warn(line, 'only part of the position came back to the wallet')
      else log.info(line, isActive ? 'the position is active' : 'the position is in the wallet')
    },
    withdrawn({ text, txHash }) {
      log.warn({ event: 'withdrawn', txHash }, text)
    },
    requestFailed({ request, failure }) {
      const { route, status, kind, code, outcome, retriable, retryAfterMs } = failure
      const line = {
        event: 'requestFailed',
        request,
        route,
        status,
        kind,
        code,
        outcome,
        retriable,
        retryAfterMs,
      }
      const write = outcome === 'unknown' ? ' (it may or may not have happened)' : ''
      log[kind === 'auth' ? 'error' : 'warn'](line, `${route} failed: ${failure.message}${write}`)
    },
    operator({ who, why, command, accepted, answer }) {
      const line = { event: 'operator', who, why, command, accepted, answer }
      log[accepted ? 'info' : 'warn'](line, `${who}: ${command} ${accepted ? 'accepted' : 'refused'}`)
    },
    alert({ severity, code, message }) {
      if (severity !== 'info') metrics.alerts.inc({ severity, code: wordOf(RAISED, code) })
      log[LEVEL_OF_SEVERITY[severity]]({ event: 'alert', severity, code }, message)
    },
    sample({ mid, bidBps, askBps }) {
      const line = { event: 'sample', mid: mid === null ? null : formatRate(mid), bidBps, askBps }
      log.debug(line, 'a sample for the charts')
    },
  }
}
