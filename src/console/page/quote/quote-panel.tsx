import type { PositionView } from '../../../view/position-view.ts'
import { ageText } from '../text/age-text.ts'
import { decimalText } from '../text/decimal-text.ts'
import { numberText } from '../text/number-text.ts'
import { priceAt } from '../text/price-at.ts'
import { beliefOf } from './belief-of.ts'
import { Ruler } from './ruler.tsx'
import { voicesText, voicesTone } from './voices.ts'
import { sidesOf, type StandingSide } from './sides-of.ts'

type Props = { readonly view: PositionView; readonly sinceMs: number }

/** What we quote, where that lies, and why. */
export function QuotePanel({ view, sinceMs }: Props) {
  const { quote } = view
  const belief = beliefOf(view)
  return (
    <section class="panel quote" aria-labelledby="quote">
      <h2 id="quote">
        Quote <span class="unit">bps around the mid</span>
        <span class={`belief ${belief.tone}`} title={belief.text}>
          {belief.word}
        </span>
      </h2>
      <Ruler view={view} />
      <dl class="sides">
        {sidesOf(quote).map((side) => (
          <Side key={side.side} side={side} view={view} />
        ))}
        <div>
          <dt>Fair value</dt>
          <dd>{decimalText(view.fairValue, 2)}</dd>
          <dd class={voicesTone(view.reference)}>{voicesText(view.reference)}</dd>
        </div>
        <div>
          <dt>Mid age</dt>
          <dd>{view.midAgeMs === null ? 'not known' : ageText(view.midAgeMs + sinceMs)}</dd>
          <dd class="note">
            {view.bounds.maxMidAgeMs === null ? 'no limit' : `limit ${ageText(view.bounds.maxMidAgeMs)}`}
            {view.quotable === false && '; the venue says: not quotable'}
          </dd>
        </div>
      </dl>
      <details>
        <summary>
          Why: <span class="because-first">{quote.because[0] ?? 'nothing is said'}</span>
        </summary>
        <ol class="because">
          {quote.because.map((line, index) => (
            <li key={index}>{line}</li>
          ))}
        </ol>
        <p class="note">{belief.text}</p>
      </details>
    </section>
  )
}

function Side({ side, view }: { readonly side: StandingSide; readonly view: PositionView }) {
  const isBid = side.side === 'bid'
  const price = side.isOff ? null : priceAt(view.mid, side.bps, side.side)
  const rival = view.competition[side.side]
  return (
    <div class="ours">
      <dt>
        {isBid ? 'Bid' : 'Ask'} <span class="unit">{isBid ? 'sells dollars' : 'buys dollars'}</span>
      </dt>
      <dd>
        {side.isOff ? 'off' : numberText(side.bps, 0)}
        {!side.isOff && side.bps !== null && <span class="unit"> bps</span>}
        {price !== null && <span class="price">{decimalText(price, 2)}</span>}
      </dd>
      <dd class="note">
        {wantedText(side)}
        {rival === null ? 'others: not seen' : `best of the others ${rival.bps}, ${ageText(rival.ageMs)} ago`}
      </dd>
    </div>
  )
}

function wantedText({ wanted }: StandingSide): string {
  if (wanted === null) return ''
  return wanted === 'off' ? 'wanted: off; ' : `wanted: ${wanted}; `
}
