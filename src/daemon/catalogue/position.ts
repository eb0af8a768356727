import { formatTokens } from '../../base/money/asset.ts'
import { ageText } from '../../base/text/times.ts'
import { CORE_ALERTS } from '../../core/alerts/core-alerts.ts'
import { POSITION_NOTICES } from '../../core/alerts/position-notices.ts'
import { isHalting, isRiskRule, RISK_RULES } from '../../core/alerts/risk-rules.ts'
import type { Call, Entries, ObservationOf } from './entry.ts'

/** Events of the whole position: risk rules, operator commands, refusals by the venue. */
export const POSITION_ENTRIES: Entries<
  | 'refusal'
  | 'tradingStateChanged'
  | 'strategySuspended'
  | 'strategyFellBack'
  | 'strategyLoaded'
  | 'activationChanged'
  | 'withdrawn'
  | 'withdrawalMoved'
  | 'requestFailed'
  | 'operator'
  | 'alert'
> = {
  refusal: {
    severity: ({ rule }) => (isRiskRule(rule) ? RISK_RULES[rule].severity : 'warning'),
    // Other limits are states, such as `quotable`, and the message says them.
    sentence: ({ message, limit, actual }) =>
      /^-?\d(?!x)/.test(limit)
        ? `${message} (it is ${spanText(actual)}; the limit is ${spanText(limit)})`
        : message,
    fields: ({ rule, limit, actual }) => ({ rule, limit, actual }),
    counts: ({ rule }) => [{ counter: 'riskRefusals', labels: { rule } }],
    table: 'notices',
    // A rule that halts is notified as the halt itself.
    call: ({ rule }) =>
      isRiskRule(rule) && (isHalting(rule) || rule === 'shutdown') ? null : { code: rule, kind: 'raised' },
  },
  tradingStateChanged: {
    severity: ({ to }) =>
      to === 'HALTED' ? POSITION_NOTICES.halted.severity : to === 'REDUCING' ? 'warning' : 'info',
    sentence: ({ to, why }) => `${to}: ${why}`,
    fields: ({ from, to, why }) => ({ from, to, why }),
    table: 'notices',
    call({ from, to, why }) {
      if (to === 'HALTED') return { code: 'halted', kind: 'raised', text: `trading is halted: ${why}` }
      return from === 'HALTED' ? { code: 'halted', kind: 'lifted', text: `trading is ${to} again` } : null
    },
  },
  strategySuspended: {
    severity: () => RISK_RULES['strategy-suspended'].severity,
    sentence: ({ why }) => `the strategy is suspended: ${why}`,
    fields: ({ why }) => ({ why }),
    table: 'notices',
    call: () => ({ code: 'strategy-suspended', kind: 'raised' }),
  },
  strategyFellBack: {
    severity: ({ why }) => (why === null ? 'info' : 'warning'),
    sentence: ({ why }) =>
      why === null ? 'the strategy no longer falls back' : `the strategy fell back: ${why}`,
    fields: ({ why }) => ({ why }),
    counts: ({ why }) => (why === null ? [] : [{ counter: 'strategyFallbacks', labels: {} }]),
    table: 'notices',
  },
  strategyLoaded: {
    severity: () => 'info',
    sentence: ({ use, params }) => `strategy ${use} with ${JSON.stringify(params) ?? '{}'}`,
    fields: ({ use, params, sourceHash }) => ({ use, params, sourceHash }),
    table: 'notices',
  },
  activationChanged: {
    severity: ({ partial }) => (partial ? 'warning' : 'info'),
    sentence: ({ isActive, partial }) =>
      partial
        ? 'only part of the position came back to the wallet'
        : isActive
          ? 'the position is active'
          : 'the account shows the position as inactive',
    fields: ({ isActive, partial }) => ({ isActive, partial }),
    table: 'notices',
  },
  withdrawn: {
    severity: () => POSITION_NOTICES.withdrawn.severity,
    sentence: ({ text }) => text,
    fields: ({ txHash }) => ({ txHash }),
    table: 'notices',
    call: () => ({ code: 'withdrawn', kind: 'raised' }),
  },
  // The alerts of its stages send the notifications.
  withdrawalMoved: {
    severity: ({ stage }) => (stage === 'unknown' || stage === 'failed' ? 'warning' : 'info'),
    sentence: ({ asset, amount, toAddress, stage }) =>
      `a withdrawal of ${formatTokens(amount, asset)} ${asset}${toAddress === null ? '' : ` to ${toAddress}`}: ${stage}`,
    fields: ({ key, stage }) => ({ key, stage }),
    table: 'notices',
  },
  requestFailed: {
    severity: () => 'warning',
    sentence: ({ failure: { route, message, outcome }, meaning }) => {
      const effect = meaning ?? (outcome === 'unknown' ? 'whether it took effect is unknown' : '')
      return `${route} failed: ${message}${effect === '' ? '' : `; ${effect}`}`
    },
    fields: ({ request, failure }) => {
      const { route, status, kind, code, outcome, retriable, retryAfterMs } = failure
      return { request, route, status, kind, code, outcome, retriable, retryAfterMs }
    },
    table: 'notices',
  },
  operator: {
    severity: ({ accepted }) => (accepted ? POSITION_NOTICES.operator.severity : 'warning'),
    sentence: ({ who, why, command, accepted, answer }) =>
      `${who}: ${command} ${accepted ? 'accepted' : 'refused'} (${why}); ${answer}`,
    fields: ({ who, why, command, accepted, answer }) => ({ who, why, command, accepted, answer }),
    table: 'notices',
    call: ({ command }) => (command === 'shutdown' ? null : { code: 'operator', kind: 'raised' }),
  },
  alert: {
    severity: ({ severity }) => severity,
    sentence: ({ message }) => message,
    fields: ({ severity, code }) => ({ severity, code }),
    counts: ({ severity, code }) =>
      severity === 'info' ? [] : [{ counter: 'alerts', labels: { severity, code } }],
    table: 'notices',
    call: callOfAlert,
  },
}

function spanText(figure: string): string {
  return figure.replace(/^(\d{4,}) ms$/, (_, ms: string) => ageText(Number(ms)))
}

/** An info alert means that the rule or the alert cleared; a halting rule is reported as the halt itself. */
function callOfAlert({ severity, code }: ObservationOf<'alert'>): Call | null {
  if (!isRiskRule(code))
    return { code, kind: severity === 'info' && code in CORE_ALERTS ? 'lifted' : 'raised' }
  if (severity === 'critical' && isHalting(code)) return { code: 'halted', kind: 'raised', rule: code }
  if (severity !== 'info') return { code, kind: 'raised' }
  return isHalting(code) || code === 'shutdown' ? null : { code, kind: 'lifted' }
}
