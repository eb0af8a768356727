import type { IntentView } from '../../../view/treasury/intent-view.ts'
import { countText } from '../../../../base/text/numbers.ts'
import { shownDecimal } from '../text.ts'

const STAGES: Readonly<Partial<Record<IntentView['stage'], string>>> = {
  awaiting_approval: 'waits for approval',
  waiting_for_funds: 'waiting for funds',
  in_transit: 'in transit',
  silent: 'no answer: the daemon searches for it',
  known: 'known to the venue',
  reverted: 'came back',
  claim: 'claim',
}

export function stageText(stage: IntentView['stage']): string {
  return STAGES[stage] ?? stage
}

/** Words of the program's that stand for what a person calls otherwise. */
const WORDS: Readonly<Record<string, string>> = {
  lpWallet: 'LP wallet',
  lpWithdrawal: 'withdrawal',
  lpActivation: 'activation',
  lpDeactivation: 'deactivation',
  onramp: 'on-ramp',
  offramp: 'off-ramp',
  'bank-deposit': 'bank deposit',
  reconcile_required: 'the venue does not know the outcome yet',
}
const WORD = new RegExp(`\\b(${Object.keys(WORDS).join('|')})\\b`, 'g')

/** Returns a sentence of the daemon in the words of this page. */
export function plainWords(text: string): string {
  return text.replace(WORD, (word) => WORDS[word] ?? word)
}

/** Returns what an intent moves, such as `5.00 USDC to pool by bank deposit`. */
export function moveText({ envelope, route }: Pick<IntentView, 'envelope' | 'route'>): string {
  return `${shownMoney(envelope.mostSpent)} to ${plainWords(envelope.destination)} by ${plainWords(route)}`
}

/** An amount with its token. */
export function shownMoney({ amount, asset }: { readonly amount: string; readonly asset: string }): string {
  return `${shownDecimal(amount, 2)} ${asset}`
}

/** Returns how many more approvals are needed, and who may give them. */
export function missingText({ approval }: IntentView, approvers: readonly string[]): string {
  const { missing, agreed, excluded } = approval
  const left = approvers.filter((name) => !excluded.includes(name))
  const so = agreed.length === 0 ? '' : `${agreed.join(', ')} approved. `
  if (missing === 0) return `${so}No more approval is needed.`
  if (left.length < missing)
    return `${so}${countText(missing, 'more approval')} needed, and ${left.length === 0 ? 'no one' : `only ${left.join(', ')}`} of http.tokens may give one.`
  return `${so}${countText(missing, 'more approval')} needed: from ${left.join(', ')}.`
}
