import type { PositionView } from '../../../view/position-view.ts'
import { TZS_LABELS, USD_LABELS } from '../../../view/pnl-labels.ts'
import type { PnlView } from '../../../view/ledger-view.ts'
import { totalTzs } from '../charts/chart-lines.ts'
import { type Currency, CurrencySwitch, useCurrency } from '../currency.tsx'
import { Panel } from '../panel.tsx'
import { capitalised, shownDecimal, numberText, toneOf } from '../text.ts'
import { useEffect, useState } from 'preact/hooks'
import type { HistoryAnswer } from '../../answers.ts'
import { askApi, query } from '../live/ask-api.ts'

const UNITS = { USD: '$', TZS: 'TZS' } as const

/** PnL by component, in one currency. The terms add up to the total exactly. */
export function PnlPanel({ view }: { readonly view: PositionView }) {
  const { pnl, name, now } = view
  const [currency] = useCurrency()
  const total = (currency === 'USD' ? pnl?.usd.total : pnl?.tzs.total) ?? null
  const today = usePnlToday(name, now, currency, total)
  const digits = currency === 'USD' ? 2 : 0
  const unit = UNITS[currency]
  return (
    <Panel id="pnl" class="pnl" title="PnL" unit="marked to the mid" mark={<CurrencySwitch />}>
      {pnl === null ? (
        <p class="note">It cannot be valued yet: there is no mid or no opening balance.</p>
      ) : (
        <>
          <dl class="big">
            <div>
              <dt>Today, UTC</dt>
              <dd class={toneOf(today)}>
                {today === null ? '–' : `${numberText(today, digits, true)} ${unit}`}
              </dd>
            </div>
            <div>
              <dt>Since the start</dt>
              <dd class={toneOf(Number(total))} title={`${total} ${currency}`}>
                {shownDecimal(total, digits, true)} {unit}
              </dd>
            </div>
          </dl>
          <PnlBars terms={termsIn(currency, pnl)} total={total ?? '0'} currency={currency} digits={digits} />
          {currency === 'TZS' && pnl.slippageTzs !== null && (
            <p class="note" title={`${pnl.slippageTzs} TZS`}>
              Of the spread, {shownDecimal(pnl.slippageTzs, 0, true)} TZS are slippage that takers let go.
            </p>
          )}
          <Residual pnl={pnl} />
        </>
      )}
    </Panel>
  )
}

function termsIn(currency: Currency, { usd, tzs }: PnlView): readonly PnlTerm[] {
  const terms =
    currency === 'USD'
      ? USD_LABELS.map(([term, label]) => [label, usd[term]] as const)
      : TZS_LABELS.map(([term, label]) => [label, tzs[term]] as const)
  return terms.map(([label, text]) => ({ name: capitalised(label), text }))
}

function Residual({ pnl: { residual } }: { readonly pnl: PnlView }) {
  if (residual.tzs === '0' && residual.usd === '0')
    return <p class="note">The terms add up to the change in value, to the last digit.</p>
  return (
    <p class="bad">
      <strong>
        Residual {residual.tzs} TZS, {residual.usd} USD: the ledger has a bug.
      </strong>
    </p>
  )
}

type PnlTerm = { readonly name: string; readonly text: string }

const HALF = 100

type PnlBarsProps = {
  readonly terms: readonly PnlTerm[]
  readonly total: string
  readonly currency: Currency
  readonly digits: number
}

/** The terms of the PnL as bars from a common zero: gains to the right, costs to the left. */
function PnlBars({ terms, total, ...shown }: PnlBarsProps) {
  const longest = Math.max(
    ...[...terms.map(({ text }) => text), total].map((text) => Math.abs(Number(text))),
    0.01,
  )
  return (
    <table class="bars">
      <thead class="unseen">
        <tr>
          <th scope="col">Term</th>
          <th scope="col">Bar</th>
          <th scope="col">{shown.currency}</th>
        </tr>
      </thead>
      <tbody>
        {terms.map(({ name, text }) => (
          <Bar key={name} name={name} text={text} longest={longest} {...shown} />
        ))}
      </tbody>
      <tfoot>
        <Bar name="Total" text={total} longest={longest} {...shown} />
      </tfoot>
    </table>
  )
}

type BarProps = Pick<PnlBarsProps, 'currency' | 'digits'> & { readonly longest: number }

function Bar({ name, text, longest, currency, digits }: PnlTerm & BarProps) {
  const length = (Number(text) / longest) * HALF
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="bar">
        <svg viewBox="0 0 200 12" preserveAspectRatio="none" aria-hidden="true">
          <rect
            class={length < 0 ? 'minus' : 'plus'}
            x={length < 0 ? HALF + length : HALF}
            y={1}
            width={Math.abs(length)}
            height={10}
          />
          <path d="M100 0V12" />
        </svg>
      </td>
      <td class="number" title={`${text} ${currency}`}>
        {shownDecimal(text, digits, true)}
      </td>
    </tr>
  )
}

const DAY_MS = 86_400_000

/**
 * Returns what was earned since midnight UTC: the current total less the last one known at midnight, however old if the
 * daemon was down. A position that started today earned all of it today. Null = unknown.
 */
function usePnlToday(position: string, now: number, currency: Currency, total: string | null): number | null {
  const midnight = Math.floor(now / DAY_MS) * DAY_MS
  const [base, setBase] = useState<
    ({ readonly midnight: number } & Readonly<Record<Currency, number>>) | null
  >(null)
  useEffect(() => {
    let isGone = false
    const ask = query({ position, from: 0, to: midnight, points: 2 })
    void askApi<HistoryAnswer>(`history${ask}`).then((answer) => {
      if (isGone || !answer.ok) return
      const { pnl } = answer.value
      setBase({ midnight, USD: pnl.totalUsd.at(-1) ?? 0, TZS: totalTzs(pnl).at(-1) ?? 0 })
    })
    return () => {
      isGone = true
    }
  }, [position, midnight])
  if (total === null || base === null || base.midnight !== midnight) return null
  return Number(total) - base[currency]
}
