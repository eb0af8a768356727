import type { Metrics } from './metrics.ts'

/** What a position stands on, beyond its own books; null = not known. */
export type Surroundings = {
  readonly clockOffsetMs: { readonly venue: number | null; readonly chain: number | null }
  readonly storeFreeBytes: number | null
}

/** Puts clocks and disk into their gauges; what is not known loses its series. */
export function setSurroundings(metrics: Metrics, surroundings: Surroundings): void {
  const { clockOffsetMs, storeFreeBytes } = surroundings
  for (const clock of ['venue', 'chain'] as const) {
    const offset = clockOffsetMs[clock]
    if (offset === null) metrics.clockOffsetSeconds.remove({ clock })
    else metrics.clockOffsetSeconds.set({ clock }, offset / 1_000)
  }
  if (storeFreeBytes === null) metrics.storeFreeBytes.remove()
  else metrics.storeFreeBytes.set(storeFreeBytes)
}
