/**
 * The candidate that a person most likely meant, or null when none is near: at most a third of the letters
 * may differ, where two neighbours swapped count once (optimal string alignment) and case counts nothing.
 */
export function nearestName(written: string, candidates: Iterable<string>): string | null {
  if (written.length > MAX_LENGTH) return null
  let best: string | null = null
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const a = simplified(written)
    const b = simplified(candidate)
    const distance = editDistance(a, b)
    const allowed = Math.max(1, Math.floor(Math.max(a.length, b.length) / 3))
    if (distance <= allowed && distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

const MAX_LENGTH = 64

function simplified(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '')
}

function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1)
      row.push(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
