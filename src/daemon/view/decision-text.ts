import type { DecisionView } from './decision-view.ts'

const WORDS = {
  time: 'the time',
  mid: 'the mid',
  fairValue: 'the fair value',
  inventory: 'the inventory',
  fills: 'the fills',
  competition: 'the competition',
  standing: 'the live quote',
  fee: 'the fee',
  available: 'the amounts available to orders',
  markouts: 'the markouts',
  feeds: 'the feeds',
  data: 'its own data',
} as const satisfies Record<DecisionView['inputs'][number], string>

/**
 * Returns when and why the strategy was last asked and what it read, as the end of a sentence. `ago` is text, because terminal
 * and page format ages differently.
 */
export function decisionText({ cause, inputs }: DecisionView, age: string): string {
  const read = inputs.length === 0 ? 'nothing that changes' : inputs.map((name) => WORDS[name]).join(', ')
  return `asked ${age} ago (${cause}); it read ${read}`
}
