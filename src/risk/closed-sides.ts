import type { Side } from '../money/side.ts'
import type { Finding } from './finding.ts'

/** Sides that findings close. `reduce` closes the side that would take the inventory further out. */
export function closedSides(findings: readonly Finding[], deviation: number): Side[] {
  const closed = new Set<Side>()
  for (const { effect } of findings) {
    if (effect === 'bid-off') closed.add('bid')
    if (effect === 'ask-off') closed.add('ask')
    // Too many dollars: the ask would buy more of them. Too few: the bid would sell more.
    if (effect === 'reduce') closed.add(deviation >= 0 ? 'ask' : 'bid')
  }
  return [...closed]
}
