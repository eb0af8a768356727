import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type Ms } from '../../../base/time.ts'

/** When fills are valued again. */
export type MarkoutHorizons = {
  /** Whole minutes after a fill. */
  readonly afterMs: readonly Ms[]
  /** Rate updates after the next one, which is always measured. */
  readonly afterUpdates: readonly number[]
}

/** Returns the horizons of a configuration. */
export function horizonsOf({
  markoutHorizonsMs: afterMs,
  markoutUpdates: afterUpdates,
}: {
  readonly markoutHorizonsMs: readonly Ms[]
  readonly markoutUpdates: readonly number[]
}): MarkoutHorizons {
  return { afterMs, afterUpdates }
}

export const DEFAULT_HORIZONS: MarkoutHorizons = {
  afterMs: [5 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, DAY_MS],
  afterUpdates: [1, 2, 5],
}

/** Ascending, each once: the order in which horizons are measured and shown. */
export function inOrder(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].sort((a, b) => a - b)
}

const UNITS = [
  [DAY_MS, 'd'],
  [HOUR_MS, 'h'],
  [MINUTE_MS, 'min'],
  [SECOND_MS, 's'],
] as const

/** In the largest unit that divides it: 5 min, 4 h, 1 d. */
export function durationName(ms: Ms): string {
  const [unit, name] = UNITS.find(([each]) => ms % each === 0) ?? [1, 'ms']
  return `${ms / unit} ${name}`
}

/** Returns the name of a horizon by the number of rate updates after the next one. */
export function updatesName(later: number): string {
  if (later === 0) return 'next print'
  return later === 1 ? '+1 print' : `+${later} prints`
}

/** The names of all horizons in order: rate updates first. */
export function horizonNames({ afterMs, afterUpdates }: MarkoutHorizons): readonly string[] {
  return [...inOrder([0, ...afterUpdates]).map(updatesName), ...inOrder(afterMs).map(durationName)]
}
