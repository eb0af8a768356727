import type { Link } from './live-state.ts'

/** The server says something every two seconds; a lost connection is plain within five. */
const QUIET_MS = 4_000
const BROKEN_MS = 2_000

/** Whether what the page shows is old: nothing came for a while, or the connection broke. */
export function isStale({ phase, heardAt }: Link, now: number): boolean {
  if (heardAt === null) return phase === 'waiting' || phase === 'locked'
  return now - heardAt > (phase === 'open' ? QUIET_MS : BROKEN_MS)
}
