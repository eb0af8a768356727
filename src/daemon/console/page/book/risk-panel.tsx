import { RISK_FIGURES, riskFigure, tailName } from '../../../view/results/risk-text.ts'
import type { RiskStress, RiskTail, RiskView } from '../../../view/results/risk-view.ts'
import { type Column, DataTable } from '../data-table.tsx'
import { Panel } from '../panel.tsx'
import { numberText, shownAge } from '../text.ts'

type Props = { readonly risk: RiskView; readonly now: number }

/** The latest result of `mizani risk`: what the position may lose. */
export function RiskPanel({ risk: { at, measured, problem }, now }: Props) {
  return (
    <Panel id="risk" class="risk" title="Risk" unit="loss in USD with the inventory and quote of that time">
      {measured === null && <p class="note">Unknown: {problem}.</p>}
      {measured !== null && (
        <>
          <DataTable label="Value at risk" columns={TAILS} rows={measured.tails} keyOf={tailName} />
          <DataTable label="Stress" columns={STRESSES} rows={measured.stress} keyOf={({ name }) => name} />
        </>
      )}
      {measured?.notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
      {at !== null && <p class="note">Last result {shownAge(now - at)} ago.</p>}
    </Panel>
  )
}

const TAILS: readonly Column<RiskTail>[] = [
  { title: 'Market', kind: 'head', cell: tailName },
  ...RISK_FIGURES.map(([title, key]): Column<RiskTail> => ({
    title,
    kind: 'number',
    cell: ({ usd }) => riskFigure(usd[key]),
  })),
]
const STRESSES: readonly Column<RiskStress>[] = [
  { title: 'Stress', kind: 'head', cell: ({ name }) => name },
  { title: 'Held', kind: 'number', cell: ({ held }) => numberText(held.usd, 0) },
  { title: 'All taken', kind: 'number', cell: ({ taken }) => numberText(taken.usd, 0) },
  { title: 'Within limits', kind: 'number', cell: ({ limited }) => numberText(limited.usd, 0) },
  { title: 'Limits', kind: 'text', cell: ({ limits }) => limits.join('; ') },
]
