import type { Change, Profile } from '../../../conformance/profile.ts'
import type { Topic } from '../../../conformance/trait.ts'
import { timeText } from '../../../text/times.ts'
import { printable } from '../../output/print.ts'

const TITLES: Readonly<Record<Topic, string>> = {
  'bid-formula': 'pricing formula of the bid',
  'protocol-fee': 'protocol fee',
  rounding: 'rounding',
  'fee-side': 'who bears the fee',
  'rotation-tolerance': 'rotation tolerance',
  publication: 'publication of the mid',
  dialect: 'dialect of the answers',
  'undocumented-fields': 'undocumented fields',
  'request-limit': 'limit of the key',
  'public-request-limit': 'limit of the public endpoint',
}

/** The profile as lines for a terminal: each thing, how sure it is, and what it rests on. */
export function conformanceText(
  { position, from, to, events, traits }: Profile,
  changes: readonly Change[],
  against: string | undefined,
): string {
  const span = from === null || to === null ? 'no events' : `${timeText(from)} to ${timeText(to)}`
  const lines = [`what the venue of ${position} does, from ${events} events, ${span}`]
  for (const { topic, value, sure, examples } of traits) {
    lines.push('', `${TITLES[topic]}: ${printable(value ?? 'not known')}`, `  ${sure}`)
    for (const example of examples) lines.push(`  e.g. ${printable(example)}`)
  }
  if (against === undefined) return lines.join('\n')
  lines.push('', changes.length === 0 ? `as in ${against}: nothing changed` : `otherwise than in ${against}:`)
  for (const change of changes) lines.push(`  ${changeText(change)}`)
  return lines.join('\n')
}

/** `protocol fee: 10 bps before, 25 bps now`. */
export function changeText({ topic, before, after }: Change): string {
  return `${TITLES[topic]}: ${printable(before)} before, ${printable(after)} now`
}
