import { MEASURE_NAMES } from '../../../view/scorecard-text.ts'
import type { CardView, ScorecardView } from '../../../view/scorecard-view.ts'
import { shownAge, numberText } from '../text.ts'

type Props = { readonly scorecard: ScorecardView; readonly now: number }
type Measure = CardView['both']['measures'][number]

/** Whether the strategy meets what its calibration expects: the last week, by side. */
export function ScorecardPanel({ scorecard, now }: Props) {
  const { card, outsideSince, problem, at } = scorecard
  return (
    <section class="panel scorecard" aria-labelledby="scorecard">
      <h2 id="scorecard">
        Scorecard <span class="unit">the last week against the calibration</span>
        {outsideSince !== null && (
          <strong class="bad">outside of its band for {shownAge(now - outsideSince)}</strong>
        )}
      </h2>
      {problem !== null && (
        <p class={card === null ? 'note' : 'bad'}>
          {card === null ? 'Unknown' : 'Not compared'}: {problem}.
        </p>
      )}
      {card !== null && <Card card={card} />}
      {at !== null && <p class="note">Last result {shownAge(now - at)} ago.</p>}
      {card !== null && problem === null && (
        <p class="note">
          {numberText(card.both.fills, 0)} fills in {shownAge(card.to - card.from)}. Of ten measures about one
          lies outside of its 90 % band by chance: here {numberText(card.outside.length, 0)} of{' '}
          {numberText(card.judged, 0)}.
        </p>
      )}
    </section>
  )
}

function Card({ card }: { readonly card: CardView }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Measures">
      <table class="score">
        <thead>
          <tr>
            <th scope="col">Side</th>
            <th scope="col">Measure</th>
            <th scope="col" class="number">
              Came
            </th>
            <th scope="col" class="band">
              In its 90 % band
            </th>
            <th scope="col" class="number">
              Expected
            </th>
          </tr>
        </thead>
        <tbody>
          {(['both', 'bid', 'ask'] as const).flatMap((side) =>
            card[side].measures.map((measure, index) => (
              <Row
                key={`${side} ${measure.name} ${measure.horizon}`}
                side={index === 0 ? side : ''}
                measure={measure}
              />
            )),
          )}
        </tbody>
      </table>
      {card.both.measures.length === 0 && <p class="note">Takers could not reach us in this time.</p>}
    </div>
  )
}

function Row({ side, measure }: { readonly side: string; readonly measure: Measure }) {
  const { name, horizon, unit, expected, realised, verdict } = measure
  const digits = unit === 'fills' ? 0 : unit === 'bps' ? 1 : 2
  const text = (value: number | null) => numberText(value, digits)
  const isOutside = verdict === 'above' || verdict === 'below'
  return (
    <tr class={isOutside ? 'outside' : ''}>
      <th scope="row">{side}</th>
      <td>
        {MEASURE_NAMES[name]}
        {horizon !== null && <span class="unit"> {horizon}</span>}
      </td>
      <td class="number">
        {text(realised)} <span class="unit">{realised === null || unit === 'fills' ? '' : unit}</span>
        {isOutside && <strong class="bad"> {verdict}</strong>}
      </td>
      <td class="band">
        <Band measure={measure} />
      </td>
      <td class="number">
        {text(expected.low)} to {text(expected.high)}
      </td>
    </tr>
  )
}

const WIDTH = 160

/** The band in the middle half of the drawing, with what came as a mark; far outside is drawn at the edge. */
function Band({ measure: { expected, realised } }: { readonly measure: Measure }) {
  const width = expected.high - expected.low
  const place = (value: number) =>
    width <= 0 ? WIDTH / 2 : (WIDTH / 4) * (1 + (2 * (value - expected.low)) / width)
  const at = realised === null ? null : Math.max(2, Math.min(WIDTH - 2, place(realised)))
  return (
    <svg viewBox={`0 0 ${WIDTH} 12`} preserveAspectRatio="none" aria-hidden="true">
      <path class="axis" d={`M0 6H${WIDTH}`} />
      <rect class="expected" x={WIDTH / 4} y={2} width={WIDTH / 2} height={8} />
      {at !== null && <rect class="came" x={at - 1.5} y={0} width={3} height={12} />}
    </svg>
  )
}
