import type { PnlView, PositionView } from '../../../view/position-view.ts'
import { decimalText } from '../text/decimal-text.ts'
import { numberText } from '../text/number-text.ts'
import { PnlBars, type PnlTerm } from './pnl-bars.tsx'
import { usePnlToday } from './use-pnl-today.ts'

/** What was earned, and from what. The terms add up to the total, to the last digit. */
export function PnlPanel({ view }: { readonly view: PositionView }) {
  const today = usePnlToday(view.name, view.now, view.pnl?.usd.total ?? null)
  const { pnl } = view
  return (
    <section class="panel pnl" aria-labelledby="pnl">
      <h2 id="pnl">
        PnL <span class="unit">marked to the mid, its terms in TZS</span>
      </h2>
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
                {decimalText(pnl.usd.total, 2, true)} $
              </dd>
            </div>
          </dl>
          <PnlBars terms={termsOf(pnl)} total={pnl.tzs.total} />
          <Residual pnl={pnl} />
        </>
      )}
    </section>
  )
}

function Residual({ pnl: { residual, usd } }: { readonly pnl: PnlView }) {
  const isExact = residual.tzs === '0' && residual.usd === '0'
  return (
    <p class={isExact ? 'note' : 'bad'}>
      In dollars: edge {decimalText(usd.edge, 2, true)}, inventory {decimalText(usd.inventory, 2, true)},
      costs {decimalText(usd.costs, 2, true)}, unexplained {decimalText(usd.unexplained, 2, true)}.{' '}
      {isExact ? (
        'Residual 0: the books agree to the last digit.'
      ) : (
        <strong>
          Residual {residual.tzs} TZS, {residual.usd} USD: the ledger has a bug.
        </strong>
      )}
    </p>
  )
}

function termsOf({ tzs }: PnlView): readonly PnlTerm[] {
  return [
    { name: 'Spread', text: tzs.postedSpread },
    { name: 'Stale mid', text: tzs.staleMid },
    { name: 'Inventory', text: tzs.inventory },
    { name: 'Costs', text: tzs.costs },
    { name: 'Unexplained', text: tzs.unexplained },
  ]
}

function toneOf(value: number | null): string {
  if (value === null || value === 0) return ''
  return value < 0 ? 'minus' : 'plus'
}
