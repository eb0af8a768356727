import type { PositionView } from '../../../view/position-view.ts'
import { isOut, stateWord } from '../../../view/position-text.ts'
import type { LivePosition } from '../live/live-state.ts'
import { capitalised } from '../text.ts'

type Tone = 'good' | 'warn' | 'bad' | 'unknown'

/** The headline of a position: one word, its severity, and why. */
export type ShownStanding = { readonly word: string; readonly tone: Tone; readonly reason: string }

/** An activation may take this long. */
const MINUTE_MS = 60_000

const UNSURE = {
  unknown: 'the live quote is unknown and is being read back',
  mismatch: 'the quote at the venue differs from the quote that was sent',
} as const

/** Returns the position's state. The most severe one that applies wins. */
export function standing({ view, silent }: LivePosition): ShownStanding {
  if (silent !== null)
    return { word: 'SILENT', tone: 'bad', reason: `The position does not answer: ${silent}.` }
  if (view === null) return { word: 'WAITING', tone: 'unknown', reason: 'No state was received yet.' }
  const { tradingState, reasons, paused, missing, leaving, rfq, quote, strategy, live } = view
  const [first = ''] = reasons
  if (live.banner !== null)
    return { word: live.banner, tone: 'bad', reason: `${sentence(live.text)}. ${sentence(first)}` }
  if (tradingState === 'HALTED') return { word: 'HALTED', tone: 'bad', reason: sentence(first) }
  if (paused) return { word: 'PAUSED', tone: 'warn', reason: `An operator paused it${pausedAs(view)}.` }
  if (strategy.suspended !== null)
    return { word: tradingState, tone: 'warn', reason: `The strategy is suspended: ${strategy.suspended}` }
  if (tradingState === 'REDUCING') {
    const why = leaving === null ? first : `leaving the market: ${leaving.why}`
    return { word: 'REDUCING', tone: 'warn', reason: sentence(why) }
  }
  if (missing !== null) {
    const isLong = view.now - missing.since >= MINUTE_MS
    const reason = `It is wanted in the market and trades nothing: ${missing.why}.`
    return { word: 'NOT IN THE MARKET', tone: isLong ? 'bad' : 'warn', reason }
  }
  if (view.mode === 'dry-run') return { word: 'DRY RUN', tone: 'good', reason: quoting(view) }
  if (isOut(view)) return { word: stateWord(view), tone: 'warn', reason: `Not in the market: ${live.text}.` }
  if (rfq === null && (quote.status === 'unknown' || quote.status === 'mismatch'))
    return { word: 'ACTIVE', tone: 'warn', reason: `${sentence(UNSURE[quote.status])}.` }
  if (rfq !== null && rfq.blocked !== null)
    return { word: 'ACTIVE', tone: 'warn', reason: `No order is placed: ${rfq.blocked}` }
  if (first !== '') return { word: 'ACTIVE', tone: 'good', reason: sentence(first) }
  return { word: 'ACTIVE', tone: 'good', reason: rfq === null ? quoting(view) : 'Orders are placed.' }
}

function pausedAs({ rfq, isActive, quote }: PositionView): string {
  if (rfq !== null || quote.status === 'not-sent') return ''
  if (isActive === false) return ' and the position is inactive at the venue'
  return `; ${quote.status === 'confirmed' ? 'the safe quote is live' : UNSURE[quote.status]}`
}

function quoting({ mode, quote: { quoteBid, quoteAsk } }: PositionView): string {
  if (quoteBid === false && quoteAsk === false) return 'Both sides are off.'
  if (quoteBid !== true && quoteAsk !== true) return 'No quote is confirmed yet.'
  const sides = quoteBid !== true ? 'the ask only' : quoteAsk !== true ? 'the bid only' : 'both sides'
  return mode === 'dry-run' ? `A dry run would quote ${sides}; nothing is sent.` : `Quoting ${sides}.`
}

/** Returns a reason as a sentence; a code before its colon becomes words. */
export function sentence(text: string): string {
  if (text === '') return 'No reason is given yet.'
  return capitalised(text.replace(/^[a-z]+(-[a-z]+)+(?=:)/, (code) => code.replaceAll('-', ' ')))
}

const SHAPES: { readonly [tone in Tone]: string } = {
  good: 'M12 2a10 10 0 1 1 0 20a10 10 0 0 1 0-20z',
  warn: 'M12 2L23 21H1z',
  bad: 'M7.5 1.5h9L22.5 7.5v9l-6 6h-9l-6-6v-9z',
  unknown: 'M12 2a10 10 0 1 1 0 20a10 10 0 0 1 0-20zm0 4a6 6 0 1 0 0 12a6 6 0 0 0 0-12z',
}
const SIGNS: { readonly [tone in Tone]: string } = {
  good: 'M7 12.5l3.4 3.4L17 9',
  warn: 'M12 9v5M12 17.2v.6',
  bad: 'M8 8l8 8M16 8l-8 8',
  unknown: '',
}

/** A shape for each tone, so that no meaning depends on colour alone: disc, triangle, octagon, ring. */
export function StateMark({ tone }: { readonly tone: Tone }) {
  return (
    <svg class={`mark ${tone}`} viewBox="0 0 24 24" aria-hidden="true">
      <path class="shape" d={SHAPES[tone]} />
      <path class="sign" d={SIGNS[tone]} />
    </svg>
  )
}
