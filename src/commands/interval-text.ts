import type { Interval } from '../backtest/result.ts'
import { floatText } from './float-text.ts'

/** A 90 % interval in words; one that cannot be given says why. */
export function intervalText(interval: Interval, sign: 'plus' | 'plain' = 'plus'): string {
  if (interval === null) return 'too little data for an interval'
  const [low, high] = interval
  return `90 % CI ${floatText(low, 2, sign)} to ${floatText(high, 2, sign)}`
}
