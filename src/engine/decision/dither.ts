import { seededRandom } from '../../base/random.ts'
import type { Ms } from '../../base/time.ts'
import type { StrategyQuote } from '../../strategy/define-strategy.ts'
import type { QuoteConfig } from '../model/config.ts'

type DitherSettings = Pick<QuoteConfig, 'ditherBps' | 'ditherPeriodMs'>

/**
 * Adds up to `ditherBps` either way to both sides, drawn anew every period and equal within one: a maker
 * who never moves learns nothing about takers (quant.md section 3). The draw depends on the time alone, so
 * a replay draws the same; it stands in the quote's reasons.
 */
export function dither(quote: StrategyQuote, settings: DitherSettings, now: Ms): StrategyQuote {
  const { ditherBps, ditherPeriodMs } = settings
  if (!(ditherBps > 0)) return quote
  const random = seededRandom(Math.floor(now / ditherPeriodMs), 'dither')
  const draw = () => Math.floor(random() * (2 * ditherBps + 1)) - ditherBps
  const [bid, ask] = [draw(), draw()]
  return {
    ...quote,
    bidBps: quote.bidBps === null ? null : quote.bidBps + bid,
    askBps: quote.askBps === null ? null : quote.askBps + ask,
    because: [...quote.because, `dither for learning: ${signed(bid)} on the bid, ${signed(ask)} on the ask`],
  }
}

/** When the next draw is due; Infinity where there is no dither. */
export function ditherPeriodEnd({ ditherBps, ditherPeriodMs }: DitherSettings, now: Ms): Ms {
  return ditherBps > 0 ? (Math.floor(now / ditherPeriodMs) + 1) * ditherPeriodMs : Infinity
}

function signed(bps: number): string {
  return `${bps >= 0 ? '+' : ''}${bps}`
}
