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
  promisable: 'the amounts available to orders',
  markouts: 'the markouts',
  memory: 'its memory',
  configuration: 'the configuration',
} as const satisfies Record<Exclude<DecisionView['changed'], 'first'>, string>

/**
 * Why the strategy was asked last and why it has not been asked since, as the rest of a sentence about it. The age comes as
 * text, because terminal and page each have a form of their own.
 */
export function decisionText({ cause, changed, inputs, unaskedSince }: DecisionView, age: string): string {
  const why = changed === 'first' ? 'for the first time' : `because ${WORDS[changed]} changed`
  const read = inputs.length === 0 ? 'nothing that changes' : inputs.map((name) => WORDS[name]).join(', ')
  const asked = `asked ${age} ago (${cause}) ${why}; it read ${read}`
  if (unaskedSince === 0) return asked
  const decisions = unaskedSince === 1 ? '1 decision' : `${unaskedSince} decisions`
  return `${asked}; not asked at ${decisions} since, as none of it changed`
}
