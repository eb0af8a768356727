import type { Ms } from '../base/time.ts'
import { formatAmount } from '../money/amount.ts'
import { ASSETS, type Amounts } from '../money/asset.ts'
import { RECONCILIATION_SEVERITY, type Observation } from '../engine/model/observation.ts'
import { type Severity } from '../alerts/entry.ts'
import { liftedNotice, raisedNotice, type Notice } from './notice.ts'
import { POSITION_NOTICES } from '../alerts/position-notices.ts'
import { isHalting, isRiskRule, RISK_RULES } from '../alerts/risk-rules.ts'

type Seen<Type extends Observation['type']> = Extract<Observation, { readonly type: Type }>

/**
 * Says of each observation of one position whether a person may want to hear of it, and in which words.
 * What the core tells twice in one turn (an alert and the rule behind it) becomes one notice.
 */
export function createNoticeMapper(): (observation: Observation) => Notice | null {
  const toldAt = new Map<string, Ms>()

  function raised(t: Ms, severity: Severity, code: string, text: string): Notice | null {
    if (toldAt.get(code) === t) return null
    toldAt.set(code, t)
    return { t, kind: 'raised', severity, code, text, since: null }
  }

  const wordings: Wordings = {
    alert: (observation) => ofAlert(observation, raised),
    refusal({ t, rule, limit, actual, message }) {
      if (isRiskRule(rule) && (isHalting(rule) || rule === 'shutdown')) return null
      const severity = isRiskRule(rule) ? RISK_RULES[rule].severity : 'warning'
      return raised(t, severity, rule, `${message} (it is ${actual}; the limit is ${limit})`)
    },
    tradingStateChanged({ t, from, to, why }) {
      if (to === 'HALTED')
        return raised(t, POSITION_NOTICES.halted.severity, 'halted', `trading is halted: ${why}`)
      return from === 'HALTED' ? liftedNotice(t, 'halted', `trading is ${to} again`) : null
    },
    reconciliationChanged: (observation) =>
      observation.state === 'break'
        ? raised(observation.t, RECONCILIATION_SEVERITY.break, 'fills-gap', gapText(observation))
        : null,
    strategySuspended: ({ t, why }) =>
      raised(
        t,
        RISK_RULES['strategy-suspended'].severity,
        'strategy-suspended',
        `the strategy is suspended: ${why}`,
      ),
    rowQuarantined: ({ t, row }) =>
      raised(
        t,
        POSITION_NOTICES['row-quarantined'].severity,
        'row-quarantined',
        `a fill row was set aside: ${row.reason}`,
      ),
    withdrawn: ({ t, text }) => raised(t, POSITION_NOTICES.withdrawn.severity, 'withdrawn', text),
    operator: ofOperator,
  }
  // The table has exactly the wording of each type; TypeScript cannot see that both come from one key.
  return (observation) =>
    (wordings[observation.type] as ((observation: Observation) => Notice | null) | undefined)?.(
      observation,
    ) ?? null
}

/** Observations without a wording are nothing to tell people about. */
type Wordings = { readonly [Type in Observation['type']]?: (observation: Seen<Type>) => Notice | null }

type Raise = (t: Ms, severity: Severity, code: string, text: string) => Notice | null

function ofAlert({ t, severity, code, message }: Seen<'alert'>, raised: Raise): Notice | null {
  if (!isRiskRule(code)) return raised(t, severity, code, message)
  // The core informs about a rule when it lets go, and a halting rule's alert is the halt.
  if (severity === 'critical') return raised(t, severity, isHalting(code) ? 'halted' : code, message)
  if (severity !== 'info') return raised(t, severity, code, message)
  return isHalting(code) || code === 'shutdown' ? null : liftedNotice(t, code, message)
}

/** Every command stands for itself: none is folded into another of the same turn. */
function ofOperator({ t, who, why, command, accepted, answer }: Seen<'operator'>): Notice | null {
  if (command === 'shutdown') return null
  const text = `${who}: ${command} ${accepted ? 'accepted' : 'refused'}: ${answer} (${why})`
  return raisedNotice(t, 'operator', text)
}

function gapText({ why, unreconciled }: Seen<'reconciliationChanged'>): string {
  const differs = amountTexts(unreconciled)
  return differs.length === 0 ? why : `${why}; venue minus ledger: ${differs.join(', ')}`
}

function amountTexts(amounts: Partial<Amounts>): readonly string[] {
  return ASSETS.flatMap((asset) => {
    const amount = amounts[asset] ?? 0n
    return amount === 0n ? [] : [`${formatAmount(amount, asset)} ${asset}`]
  })
}
