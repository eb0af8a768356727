import { compareRows } from './compare-rows.ts'
import { encodeRow } from './encode-row.ts'
import { competitionRowOfColumns, rateRowOfColumns } from './row-of-columns.ts'
import type { CompetitionColumns, RateColumns } from './tape-batch.ts'

/** Whether these columns are in the order of a tape already, without making a row of every one. */
export const columnsInOrder = { rates: areRatesInOrder, competition: isCompetitionInOrder }

function areRatesInOrder(rates: RateColumns): boolean {
  const { t } = rates
  for (let i = 1; i < t.length; i++) {
    const step = (t[i] as number) - (t[i - 1] as number)
    if (step > 0) continue
    if (step < 0 || compareRows(rateRowOfColumns(rates, i - 1), rateRowOfColumns(rates, i)) > 0) return false
  }
  return true
}

/** Several sizes are often asked for at one time: their order is known once per probe, not worked out per row. */
function isCompetitionInOrder(competition: CompetitionColumns): boolean {
  const { t, probe, probes } = competition
  const texts = probes.map((each) =>
    encodeRow({ type: 'competition', t: 0, ...each, bidBps: null, askBps: null }).slice(0, -1),
  )
  const sorted = texts.toSorted()
  const ranks = texts.map((text) => sorted.indexOf(text))
  for (let i = 1; i < t.length; i++) {
    const step = (t[i] as number) - (t[i - 1] as number)
    if (step > 0) continue
    if (step < 0) return false
    const rise = (ranks[probe[i] as number] as number) - (ranks[probe[i - 1] as number] as number)
    if (rise > 0) continue
    const [before, after] = [
      competitionRowOfColumns(competition, i - 1),
      competitionRowOfColumns(competition, i),
    ]
    if (rise < 0 || compareRows(before, after) > 0) return false
  }
  return true
}
