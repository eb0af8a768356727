import { invariant } from '../base/invariant.ts'
import { parseRate, rateToNumber, type Rate } from '../money/rate.ts'

/**
 * The mid as the venue holds it: exactly the JSON number that it shows. A finer figure would price fills
 * that nobody outside could recompute.
 */
export function publishedMid(mid: Rate): { readonly rate: Rate; readonly number: number } {
  const number = rateToNumber(mid)
  const parsed = parseRate(number)
  invariant(parsed.ok, 'a mid of the pretend world must be a rate')
  return { rate: parsed.value, number }
}
