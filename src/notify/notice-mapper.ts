import type { Ms } from '../base/time.ts'
import { formatAmount } from '../money/amount.ts'
import { ASSETS, type Amounts } from '../money/asset.ts'
import { RECONCILIATION_SEVERITY, type Observation, type Severity } from '../engine/model/observation.ts'
import type { Notice } from './notice.ts'

type Seen<Type extends Observation['type']> = Extract<Observation, { readonly type: Type }>

export const HALTED = 'halted'

/** How grave it is that a rule binds. Rules that halt are told as the halt itself. */
export const RULE_SEVERITY: Readonly<Record<string, Severity | 'halts'>> = {
  operator: 'halts',
  auth: 'halts',
  'solver-changed': 'halts',
  'cannot-value': 'halts',
  loss: 'halts',
  drawdown: 'halts',
  'unexplained-balance': 'halts',
  'quote-not-held': 'halts',
  // Told at the first reading; the halt after the second one is told as the halt itself.
  'foreign-hand': 'critical',
  'fill-price': 'halts',
  review: 'warning',
  'unasked-pairs': 'warning',
  'foreign-write': 'critical',
  'wallet-changed': 'halts',
  paused: 'info',
  'mid-missing': 'warning',
  'mid-age': 'warning',
  'mid-undated': 'warning',
  'mid-step': 'warning',
  'mid-move': 'critical',
  'price-corridor': 'critical',
  'venue-clock': 'critical',
  'mid-invalid': 'warning',
  'not-quotable': 'warning',
  'reference-deviation': 'critical',
  'inventory-limit': 'warning',
  'fills-per-minute': 'warning',
  'volume-per-day': 'warning',
  'error-cycles': 'warning',
  'fills-gap': 'warning',
  'strategy-suspended': 'warning',
  crossed: 'warning',
  'out-of-range': 'info',
  withdrawal: 'warning',
  shutdown: 'info',
}

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
      const severity = RULE_SEVERITY[rule] ?? 'warning'
      if (severity === 'halts' || rule === 'shutdown') return null
      return raised(t, severity, rule, `${message} (it is ${actual}; the limit is ${limit})`)
    },
    tradingStateChanged({ t, from, to, why }) {
      if (to === 'HALTED') return raised(t, 'critical', HALTED, `trading is halted: ${why}`)
      return from === 'HALTED' ? lifted(t, HALTED, `trading is ${to} again`) : null
    },
    completenessChanged: (observation) =>
      observation.state === 'gap'
        ? raised(observation.t, RECONCILIATION_SEVERITY.gap, 'fills-gap', gapText(observation))
        : null,
    strategySuspended: ({ t, why }) =>
      raised(t, 'warning', 'strategy-suspended', `the strategy is suspended: ${why}`),
    rowQuarantined: ({ t, row }) =>
      raised(t, 'warning', 'row-quarantined', `a fill row was set aside: ${row.reason}`),
    withdrawn: ({ t, text }) => raised(t, 'warning', 'withdrawn', text),
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
  const rule = RULE_SEVERITY[code]
  if (rule === undefined) return raised(t, severity, code, message)
  // The core says info about a rule when it lets go, and critical when it halts.
  if (severity === 'critical') return raised(t, severity, rule === 'halts' ? HALTED : code, message)
  if (severity !== 'info') return raised(t, severity, code, message)
  return rule === 'halts' || code === 'shutdown' ? null : lifted(t, code, message)
}

function lifted(t: Ms, code: string, text: string): Notice {
  return { t, kind: 'lifted', severity: 'info', code, text, since: null }
}

/** Every command stands for itself: none is folded into another of the same turn. */
function ofOperator({ t, who, why, command, accepted, answer }: Seen<'operator'>): Notice | null {
  if (command === 'shutdown') return null
  const text = `${who}: ${command} ${accepted ? 'accepted' : 'refused'}: ${answer} (${why})`
  return { t, kind: 'raised', severity: 'info', code: 'operator', text, since: null }
}

function gapText({ why, unexplained }: Seen<'completenessChanged'>): string {
  const differs = amountTexts(unexplained)
  return differs.length === 0 ? why : `${why}; venue minus ledger: ${differs.join(', ')}`
}

function amountTexts(amounts: Partial<Amounts>): readonly string[] {
  return ASSETS.flatMap((asset) => {
    const amount = amounts[asset] ?? 0n
    return amount === 0n ? [] : [`${formatAmount(amount, asset)} ${asset}`]
  })
}
