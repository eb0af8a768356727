import { measureText } from '../../../view/scorecard-text.ts'
import type { CardView, ScorecardView } from '../../../view/scorecard-view.ts'
import { type Column, DataTable } from '../data-table.tsx'
import { Panel } from '../panel.tsx'
import { shownAge, numberText } from '../text.ts'

type Props = { readonly scorecard: ScorecardView; readonly now: number }
type Measure = CardView['both']['measures'][number]

/** Last week's results against the calibration's expectation, by side. */
export function ScorecardPanel({ scorecard, now }: Props) {
  const { card, outsideSince, problem, at } = scorecard
  return (
    <Panel
      id="scorecard"
      class="scorecard"
      title="Scorecard"
      unit="the last week against the calibration"
      mark={
        outsideSince !== null && (
          <strong class="bad">outside of its band for {shownAge(now - outsideSince)}</strong>
        )
      }
    >
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
    </Panel>
  )
}

type CardRow = { readonly side: string; readonly isFirst: boolean; readonly measure: Measure }

function Card({ card }: { readonly card: CardView }) {
  const rows = (['both', 'bid', 'ask'] as const).flatMap((side) =>
    card[side].measures.map((measure, index): CardRow => ({ side, isFirst: index === 0, measure })),
  )
  return (
    <DataTable
      label="Measures"
      class="score"
      columns={COLUMNS}
      rows={rows}
      keyOf={({ side, measure }) => `${side} ${measure.name} ${measure.horizon}`}
      rowTone={({ measure }) => (measureText(measure).isOutside ? 'outside' : '')}
    >
      {card.both.measures.length === 0 && <p class="note">No taker could reach us in this period.</p>}
    </DataTable>
  )
}

const COLUMNS: readonly Column<CardRow>[] = [
  {
    title: 'Side',
    kind: 'head',
    cell: ({ side, isFirst }) => <span class={isFirst ? '' : 'repeated'}>{side}</span>,
  },
  {
    title: 'Measure',
    cell: ({ measure }) => (
      <>
        {measureText(measure).label}
        {measure.horizon !== null && <span class="unit"> {measure.horizon}</span>}
      </>
    ),
  },
  { title: 'Actual', kind: 'number', cell: Came },
  { title: 'In its 90 % band', kind: 'band', cell: ({ measure }) => <Band measure={measure} /> },
  { title: 'Expected', kind: 'number', cell: ({ measure }) => measureText(measure).band },
]

function Came({ measure }: CardRow) {
  const { realised, unit, isOutside } = measureText(measure)
  return (
    <>
      {realised ?? '–'} <span class="unit">{realised === null ? '' : unit}</span>
      {isOutside && <strong class="bad"> {measure.verdict}</strong>}
    </>
  )
}

const WIDTH = 160

/** The band in the middle half of the drawing, with the result as a mark; a result far outside is drawn at the edge. */
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
