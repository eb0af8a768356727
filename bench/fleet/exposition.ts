/** One reading of GET /metrics. */
export type Exposition = {
  readonly ms: number
  readonly bytes: number
  readonly series: number
  readonly text: string
}

/** Reads the metrics as Prometheus does. Rejects where the answer is no 200. */
export async function scrape(url: string, token: string): Promise<Exposition> {
  const began = performance.now()
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`GET /metrics is answered with ${answer.status}: ${text.slice(0, 200)}`)
  const ms = performance.now() - began
  const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length
  return { ms, bytes: Buffer.byteLength(text), series, text }
}

/** The samples of one metric, or of a histogram's part, with their labels as text. */
export function samplesOf(text: string, name: string): readonly { labels: string; value: number }[] {
  const samples: { labels: string; value: number }[] = []
  for (const line of text.split('\n')) {
    if (!line.startsWith(name)) continue
    const found = /^[a-z0-9_]+(?:\{(.*)\})? (\S+)$/i.exec(line)
    if (found === null || !['{', ' '].includes(line.charAt(name.length))) continue
    samples.push({ labels: found[1] ?? '', value: Number(found[2]) })
  }
  return samples
}

/** The cumulated buckets of a histogram over all positions, by upper bound. */
export function bucketsOf(text: string, histogram: string): ReadonlyMap<number, number> {
  const buckets = new Map<number, number>()
  for (const { labels, value } of samplesOf(text, `${histogram}_bucket`)) {
    const bound = /(?:^|,)le="([^"]+)"/.exec(labels)?.[1]
    if (bound === undefined) continue
    const le = bound === '+Inf' ? Infinity : Number(bound)
    buckets.set(le, (buckets.get(le) ?? 0) + value)
  }
  return buckets
}

/**
 * Below which bound of a bucket the share lies of what was counted between two readings: an upper bound of the
 * quantile, never an interpolation. Null where nothing was counted.
 */
export function quantileBetween(
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
  share: number,
): number | null {
  const bounds = [...after.keys()].sort((one, other) => one - other)
  const counted = (bound: number) => (after.get(bound) ?? 0) - (before.get(bound) ?? 0)
  const total = counted(Infinity)
  if (!(total > 0)) return null
  return bounds.find((bound) => counted(bound) >= share * total) ?? null
}
