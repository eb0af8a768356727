import type { PositionView } from '../../../engine/position-view.ts'
import type { LivePosition } from '../live/live-state.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'unknown'

/** What a person has to know first: one word, how grave it is, and why. */
export type Standing = { readonly word: string; readonly tone: Tone; readonly reason: string }

const UNSURE = {
  unknown: 'what stands at the venue is not known and is being read back',
  differs: 'the venue holds another quote than was sent',
} as const

/** How a position stands. The gravest that applies wins. */
export function standing({ view, silent }: LivePosition): Standing {
  if (silent !== null)
    return { word: 'SILENT', tone: 'bad', reason: `The position does not answer: ${silent}.` }
  if (view === null) return { word: 'WAITING', tone: 'unknown', reason: 'No state has come yet.' }
  const { tradingState, reasons, paused, isActive, rfq, quote, strategy } = view
  const [first = ''] = reasons
  if (tradingState === 'HALTED') return { word: 'HALTED', tone: 'bad', reason: sentence(first) }
  if (paused) return { word: 'PAUSED', tone: 'warn', reason: `An operator paused it${pausedAs(view)}.` }
  if (strategy.suspended !== null)
    return { word: tradingState, tone: 'warn', reason: `The strategy is suspended: ${strategy.suspended}` }
  if (tradingState === 'REDUCING') return { word: 'REDUCING', tone: 'warn', reason: sentence(first) }
  if (rfq === null && isActive === false)
    return {
      word: 'ACTIVE',
      tone: 'warn',
      reason: 'Not in the market: the position is inactive at the venue.',
    }
  if (rfq === null && quote.believed !== 'known')
    return { word: 'ACTIVE', tone: 'warn', reason: `${sentence(UNSURE[quote.believed])}.` }
  if (rfq !== null && rfq.blocked !== null)
    return { word: 'ACTIVE', tone: 'warn', reason: `No order is placed: ${rfq.blocked}` }
  if (first !== '') return { word: 'ACTIVE', tone: 'good', reason: sentence(first) }
  return { word: 'ACTIVE', tone: 'good', reason: rfq === null ? quoting(quote) : 'Orders are placed.' }
}

function pausedAs({ rfq, isActive, quote }: PositionView): string {
  if (rfq !== null) return ''
  if (isActive === false) return ' and the position is inactive at the venue'
  return `; ${quote.believed === 'known' ? 'the safe quote stands' : UNSURE[quote.believed]}`
}

function quoting({ quoteBid, quoteAsk }: { quoteBid: boolean | null; quoteAsk: boolean | null }): string {
  if (quoteBid === true && quoteAsk === true) return 'Quoting both sides.'
  if (quoteBid === true) return 'Quoting the bid only.'
  if (quoteAsk === true) return 'Quoting the ask only.'
  return 'No quote is confirmed yet.'
}

function sentence(text: string): string {
  return text === '' ? 'No reason is given yet.' : text.charAt(0).toUpperCase() + text.slice(1)
}
