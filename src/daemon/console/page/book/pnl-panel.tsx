import type { PositionView } from '../../../view/position-view.ts'
import { TZS_LABELS, USD_LABELS } from '../../../view/pnl-labels.ts'
import type { PnlView } from '../../../view/ledger-view.ts'
import { Panel } from '../panel.tsx'
import { capitalised, shownDecimal, numberText, toneOf } from '../text.ts'
import { useEffect, useState } from 'preact/hooks'
import type { HistoryAnswer } from '../../answers.ts'
import { askApi, query } from '../live/ask-api.ts'

/** PnL by component. The terms add up to the total exactly. */
export function PnlPanel({ view }: { readonly view: PositionView }) {
  const today = usePnlToday(view.name, view.now, view.pnl?.usd.total ?? null)
  const { pnl } = view
  return (
    <Panel id="pnl" class="pnl" title="PnL" unit="marked to the mid, its terms in TZS">
      {pnl === null ? (
        <p class="note">It cannot be valued yet: there is no mid or no opening balance.</p>
      ) : (
        <>
          <dl class="big">
            <div>
              <dt>Today, UTC</dt>
              <dd class={toneOf(today)}>{today === null ? '–' : `${numberText(today, 2, true)} $`}</dd>
            </div>
            <div>
              <dt>Since the start</dt>
              <dd class={toneOf(Number(pnl.usd.total))} title={`${pnl.usd.total} USD`}>
                {shownDecimal(pnl.usd.total, 2, true)} $
              </dd>
            </div>
          </dl>
          <PnlBars
            terms={TZS_LABELS.map(([term, label]) => ({ name: capitalised(label), text: pnl.tzs[term] }))}
            total={pnl.tzs.total}
          />
          {pnl.slippageTzs !== null && (
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

function Residual({ pnl: { residual, usd } }: { readonly pnl: PnlView }) {
  const isExact = residual.tzs === '0' && residual.usd === '0'
  return (
    <p class={isExact ? 'note' : 'bad'}>
      In dollars:{' '}
      {USD_LABELS.map(([term, label]) => `${label} ${shownDecimal(usd[term], 2, true)}`).join(', ')}.{' '}
      {isExact ? (
        'Residual 0: the identities agree to the last digit.'
      ) : (
        <strong>
          Residual {residual.tzs} TZS, {residual.usd} USD: the ledger has a bug.
        </strong>
      )}
    </p>
  )
}

type PnlTerm = { readonly name: string; readonly text: string }

const HALF = 100

/** The terms of the PnL as bars from a common zero: gains to the right, costs to the left. */
function PnlBars({ terms, total }: { readonly terms: readonly PnlTerm[]; readonly total: string }) {
  const longest = Math.max(
    ...[...terms.map(({ text }) => text), total].map((text) => Math.abs(Number(text))),
    1,
  )
  return (
    <table class="bars">
      <thead class="unseen">
        <tr>
          <th scope="col">Term</th>
          <th scope="col">Bar</th>
          <th scope="col">TZS</th>
        </tr>
      </thead>
      <tbody>
        {terms.map(({ name, text }) => (
          <Bar key={name} name={name} text={text} longest={longest} />
        ))}
      </tbody>
      <tfoot>
        <Bar name="Total" text={total} longest={longest} />
      </tfoot>
    </table>
  )
}

function Bar({ name, text, longest }: PnlTerm & { readonly longest: number }) {
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
      <td class="number" title={`${text} TZS`}>
        {shownDecimal(text, 0, true)}
      </td>
    </tr>
  )
}

const DAY_MS = 86_400_000

/**
 * Returns the dollars earned since midnight UTC: the current total less the last one known at midnight, however old if the
 * daemon was down. A position that started today earned all of it today. Null = unknown.
 */
function usePnlToday(position: string, now: number, total: string | null): number | null {
  const midnight = Math.floor(now / DAY_MS) * DAY_MS
  const [base, setBase] = useState<{ readonly midnight: number; readonly usd: number } | null>(null)
  useEffect(() => {
    let isGone = false
    const ask = query({ position, from: 0, to: midnight, points: 2 })
    void askApi<HistoryAnswer>(`history${ask}`).then((answer) => {
      if (!isGone && answer.ok) setBase({ midnight, usd: answer.value.pnl.totalUsd.at(-1) ?? 0 })
    })
    return () => {
      isGone = true
    }
  }, [position, midnight])
  if (total === null || base === null || base.midnight !== midnight) return null
  return Number(total) - base.usd
}
