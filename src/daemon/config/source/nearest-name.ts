import { distance } from 'fastest-levenshtein'

/** Longer names are not typing mistakes, and comparing them would take time. */
const MAX_LENGTH = 64

/**
 * Returns the candidate that was most likely meant, or null: at most a third of the letters may differ; case and dashes
 * are ignored, and swapped letters count once.
 */
export function nearestName(written: string, candidates: Iterable<string>): string | null {
  if (written.length > MAX_LENGTH) return null
  const a = simplified(written)
  let best: string | null = null
  let fewest = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const b = simplified(candidate)
    const edits = a !== b && sorted(a) === sorted(b) ? 1 : distance(a, b)
    const allowed = Math.max(1, Math.floor(Math.max(a.length, b.length) / 3))
    if (edits > allowed || edits >= fewest) continue
    best = candidate
    fewest = edits
  }
  return best
}

/** Returns `; did you mean NAME?`, or an empty text if no candidate is near. */
export function didYouMean(written: string, candidates: Iterable<string>): string {
  const nearest = nearestName(written, candidates)
  return nearest === null ? '' : `; did you mean ${nearest}?`
}

function simplified(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '')
}

function sorted(name: string): string {
  return name.split('').sort().join('')
}
