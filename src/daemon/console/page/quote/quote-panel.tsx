import type { PositionView } from '../../../view/position-view.ts'
import type { ReferenceView } from '../../../view/market-view.ts'
import { executionNotes, isReferenceFar } from '../../../view/position-text.ts'
import { decisionText } from '../../../view/decision-text.ts'
import { countText } from '../../../../base/text/numbers.ts'
import { Panel } from '../panel.tsx'
import { shownAge, shownDecimal, numberText } from '../text.ts'
import { ladderOf, orderBps, type LadderSide } from './ladder.ts'
import { priceAt, Ruler, sidesOf, type RulerSide } from './ruler.tsx'

type QuotePanelProps = { readonly view: PositionView; readonly sinceMs: number }

/** Our quote, its place in the market, and the reasons for it. */
export function QuotePanel({ view, sinceMs }: QuotePanelProps) {
  const { quote, decision } = view
  const status = quoteStatusOf(view)
  return (
    <Panel
      id="quote"
      class="quote"
      title="Quote"
      unit="bps around the mid"
      mark={
        <span class={`quote-status ${status.tone}`} title={status.text}>
          {status.word}
        </span>
      }
    >
      <Ruler view={view} />
      <dl class="sides">
        {view.rfq === null
          ? sidesOf(quote).map((side) => <Side key={side.side} side={side} view={view} />)
          : ladderOf(view.rfq).map((side) => <OrderSide key={side.side} ladder={side} view={view} />)}
        <div>
          <dt>Fair value</dt>
          <dd>{shownDecimal(view.fairValue, 2)}</dd>
          <dd class={voicesTone(view.reference)}>{voicesText(view.reference)}</dd>
        </div>
        <div>
          <dt>Mid age</dt>
          <dd>{view.midAgeMs === null ? 'unknown' : shownAge(view.midAgeMs + sinceMs)}</dd>
          <dd class="note">
            {view.bounds.maxMidAgeMs === null ? 'no limit' : `limit ${shownAge(view.bounds.maxMidAgeMs)}`}
            {view.quotable === false && '; the venue says: not quotable'}
            {executionNotes(view.execution, sinceMs).map((note) => `; ${note}`)}
          </dd>
        </div>
      </dl>
      <details>
        <summary>
          Why: <span class="because-first">{quote.because[0] ?? 'no reason is given'}</span>
        </summary>
        <ol class="because">
          {quote.because.map((line, index) => (
            <li key={index}>{line}</li>
          ))}
        </ol>
        {decision !== null && (
          <p class="note">
            The strategy was {decisionText(decision, shownAge(view.now + sinceMs - decision.askedAt))}.
          </p>
        )}
        <p class="note">{status.text}</p>
      </details>
    </Panel>
  )
}

function Side({ side, view }: { readonly side: RulerSide; readonly view: PositionView }) {
  const price = side.isOff ? null : priceAt(view.mid, side.bps, side.side)
  const rival = view.competition[side.side]
  return (
    <div class="ours">
      <SideName side={side.side} />
      <dd>
        {side.isOff ? 'off' : numberText(side.bps, 0)}
        {!side.isOff && side.bps !== null && <span class="unit"> bps</span>}
        {price !== null && <span class="price">{shownDecimal(price, 2)}</span>}
      </dd>
      <dd class="note">
        {wantedText(side)}
        {rivalText(rival)}
      </dd>
    </div>
  )
}

/** The best open order of a side, and what all of them leave to takers. */
function OrderSide({ ladder, view }: { readonly ladder: LadderSide; readonly view: PositionView }) {
  const { side, orders, remainingUsd } = ladder
  const [best] = orders
  const bps = best === undefined ? null : orderBps(best, view.mid)
  return (
    <div class="ours">
      <SideName side={side} />
      <dd>
        {best === undefined ? 'no order' : numberText(bps, 0)}
        {bps !== null && <span class="unit"> bps</span>}
        {best !== undefined && <span class="price">{shownDecimal(best.priceTzs, 2)}</span>}
      </dd>
      <dd class="note">
        {best !== undefined &&
          `${countText(orders.length, 'order')}, ${numberText(remainingUsd, 0)} $ left; `}
        {rivalText(view.competition[side])}
      </dd>
    </div>
  )
}

function SideName({ side }: Pick<LadderSide, 'side'>) {
  return (
    <dt>
      {side === 'bid' ? 'Bid' : 'Ask'}{' '}
      <span class="unit">{side === 'bid' ? 'sells dollars' : 'buys dollars'}</span>
    </dt>
  )
}

function rivalText(rival: PositionView['competition']['bid']): string {
  if (rival === null) return 'others: not seen'
  const seen = `${rival.bps}, ${shownAge(rival.ageMs)} ago`
  return rival.isOwn ? `best: our own ${seen}` : `best of the others ${seen}`
}

function wantedText({ wanted }: RulerSide): string {
  if (wanted === null) return ''
  return wanted === 'off' ? 'wanted: off; ' : `wanted: ${wanted}; `
}

/** Returns whether the shown quote is the live quote at the venue: a word, and a sentence. */
type QuoteStatus = { readonly tone: string; readonly word: string; readonly text: string }

const SIGNS = { confirmed: '✓', unknown: '?', mismatch: '≠' } as const
const TEXTS = {
  confirmed: 'confirmed by the venue',
  unknown: 'unknown: the live quote is being read back',
  mismatch: 'different at the venue from the quote that was sent',
} as const

/** A dry run sends no quote, and without pooled capital there is no quote; neither has a quote status. */
export function quoteStatusOf({ quote, rfq, now }: PositionView): QuoteStatus {
  if (rfq !== null) {
    const text = 'No capital is pooled, so there is no quote at the venue; orders are signed instead.'
    return { tone: '', word: 'signed orders instead', text }
  }
  const { status, confirmedAt } = quote
  if (status === 'not-sent') {
    return {
      tone: '',
      word: 'dry run: not sent',
      text: 'This is a dry run: the quote is computed but not sent.',
    }
  }
  const when = confirmedAt === null ? '; nothing was confirmed yet' : `, ${shownAge(now - confirmedAt)} ago`
  return {
    tone: status,
    word: `${SIGNS[status]} ${status}`,
    text: `The quote is ${TEXTS[status]}${when}.`,
  }
}

/** The other sources of the rate: the note under the fair value. */
export function voicesText({ feeds, deviationBps, standsAlone }: ReferenceView): string {
  if (standsAlone)
    return `no other source confirms the venue’s rate${feeds.length === 0 ? '' : ': no feed is live'}`
  const live = feeds.filter(({ status }) => status === 'live').length
  const voices = `${live} of ${feeds.length} ${feeds.length === 1 ? 'feed' : 'feeds'} live`
  if (deviationBps === null) return voices
  return `${voices}; mid ${deviationBps < 0 ? '' : '+'}${deviationBps.toFixed(1)} bps from them`
}

/** Returns `bad` if feeds are configured and none is live, or if the venue's rate is too far from them. */
export function voicesTone(reference: ReferenceView): 'note' | 'note bad' {
  const isSilent = reference.standsAlone && reference.feeds.length > 0
  return isSilent || isReferenceFar(reference) ? 'note bad' : 'note'
}
