import type { IntentView } from '../../../view/treasury/intent-view.ts'
import { shownDecimal } from '../text.ts'

const STAGES: Readonly<Partial<Record<IntentView['stage'], string>>> = {
  awaiting_approval: 'waits for approval',
  waiting_for_funds: 'waiting for funds',
  in_transit: 'in transit',
  silent: 'no answer: the daemon searches for it',
  known: 'known to the venue',
  claim: 'claim',
}

export function stageText(stage: IntentView['stage']): string {
  return STAGES[stage] ?? stage
}

/** An amount with its token. */
export function shownMoney({ amount, asset }: { readonly amount: string; readonly asset: string }): string {
  return `${shownDecimal(amount, 2)} ${asset}`
}

/** Returns how many more approvals are needed, and whose tokens may give them. */
export function missingText({ approval }: IntentView, approvers: readonly string[]): string {
  const { missing, agreed, excluded } = approval
  const left = approvers.filter((name) => !excluded.includes(name))
  const so = agreed.length === 0 ? '' : `${agreed.join(', ')} approved. `
  if (missing === 0) return `${so}No more approval is needed.`
  if (left.length < missing)
    return `${so}${missing} more ${missing === 1 ? 'token has' : 'tokens have'} to approve, and only ${left.join(', ') || 'none'} of http.tokens may.`
  return `${so}${missing} more ${missing === 1 ? 'token has' : 'tokens have'} to approve: ${left.join(', ')}.`
}
