import type { DaysAnswer } from '../../answers.ts'
import { type Currency, CurrencySwitch, useCurrency } from '../currency.tsx'
import { type Column, DataTable } from '../data-table.tsx'
import { query } from '../live/ask-api.ts'
import { useWidth } from '../live/hooks.ts'
import { usePolled } from '../live/use-polled.ts'
import { Panel } from '../panel.tsx'
import { numberText, toneOf } from '../text.ts'

const EVERY_MS = 60_000
const DAY_MS = 86_400_000
/** Full weeks, Monday first, the last one with today. */
const WEEKS = 6
/** Below this width in pixels a figure has five characters. */
const NARROW = 480
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

type Day = DaysAnswer['days'][number]
type Pair = DaysAnswer['pairs'][number]

/** What each of the last days earned, as a calendar, and volume and fees by pair over the same days. */
export function DaysPanel({ position, now }: { readonly position: string; readonly now: number }) {
  const [currency] = useCurrency()
  const count = (WEEKS - 1) * 7 + weekdayOf(now) + 1
  const { value, failure } = usePolled<DaysAnswer>(`days${query({ position, days: count })}`, EVERY_MS)
  return (
    <Panel id="days" class="days" title="Days" unit="UTC" mark={<CurrencySwitch />}>
      {failure !== null && <p class="bad">{failure.message}</p>}
      {value !== null && (
        <>
          <Calendar days={value.days} currency={currency} />
          {value.pairs.length > 0 && (
            <DataTable
              label="Volume and fees by pair"
              columns={PAIR_COLUMNS}
              rows={value.pairs}
              keyOf={({ side, inAsset, outAsset }) => `${side} ${inAsset} ${outAsset}`}
            />
          )}
        </>
      )}
    </Panel>
  )
}

/** 0 = Monday. The epoch was a Thursday. */
function weekdayOf(t: number): number {
  return (Math.floor(t / DAY_MS) + 3) % 7
}

type CalendarProps = { readonly days: readonly Day[]; readonly currency: Currency }

function Calendar({ days, currency }: CalendarProps) {
  const earned = (day: Day) => (currency === 'USD' ? day.pnlUsd : day.pnlTzs)
  const most = Math.max(...days.map((day) => Math.abs(earned(day) ?? 0)), Number.MIN_VALUE)
  const first = days.findIndex((day) => day.fills > 0 || earned(day) !== null)
  const { ref, width } = useWidth()
  const digits = currency === 'USD' ? 2 : 0
  // Weeks before the first datum are left out.
  const shown = days.slice(first < 0 ? -7 : Math.floor(first / 7) * 7)
  return (
    <ol class="calendar" ref={ref}>
      {WEEKDAYS.map((name) => (
        <li key={name} class="weekday" aria-hidden="true">
          {name}
        </li>
      ))}
      {shown.map((day) => {
        const pnl = earned(day)
        const text = numberText(pnl, digits, true)
        const traded = `${fillsText(day)}, ${numberText(day.volumeUsd, 0)} $`
        return (
          <li
            key={day.day}
            class={toneOf(pnl)}
            style={{ '--share': Math.abs(pnl ?? 0) / most }}
            title={`${day.day}: ${pnl === null ? 'no sample' : `${text} ${currency}`}; ${traded}`}
          >
            <time dateTime={day.day}>{Number(day.day.slice(8))}</time>{' '}
            <b>{width < NARROW ? shortText(pnl) : text}</b>{' '}
            <small>{day.fills === 0 ? '' : fillsText(day)}</small>
          </li>
        )
      })}
    </ol>
  )
}

/** Such as +74, −1.2k or +205k. */
function shortText(value: number | null): string {
  if (value === null || Math.abs(value) < 1_000) return numberText(value, 0, true)
  const [scaled, unit] = Math.abs(value) < 1e6 ? [value / 1e3, 'k'] : [value / 1e6, 'M']
  return numberText(scaled, Math.abs(scaled) < 10 ? 1 : 0, true) + unit
}

function fillsText({ fills }: Day): string {
  return fills === 1 ? '1 fill' : `${numberText(fills, 0)} fills`
}

const PAIR_COLUMNS: readonly Column<Pair>[] = [
  { title: 'Pair', kind: 'head', cell: ({ inAsset, outAsset }) => `${inAsset} for ${outAsset}` },
  { title: 'Side', cell: ({ side }) => side, tone: ({ side }) => `side ${side}` },
  { title: 'Fills', kind: 'number', cell: ({ fills }) => numberText(fills, 0) },
  { title: 'Volume, $', kind: 'number', cell: ({ volumeUsd }) => numberText(volumeUsd, 0) },
  {
    title: 'Venue’s fee',
    kind: 'number',
    cell: ({ fee, outAsset }) => (
      <>
        {numberText(fee, outAsset === 'NTZS' ? 0 : 2)} <small>{outAsset}</small>
      </>
    ),
  },
]
