import type { FillAnswerRow } from '../../answers.ts'
import type { PositionView } from '../../../view/position-view.ts'
import { Column, TableHead } from '../table-head.tsx'
import { shownDecimal, numberText, shownTime } from '../text.ts'
import { usePages } from './use-pages.ts'

const PAGE_ROWS = 25
const DIGITS: Readonly<Record<string, number>> = { NTZS: 0 }

type Props = { readonly position: string; readonly view: PositionView }

/** Fills as they come, with what each earned and what the mid did afterwards. */
export function FillsPanel({ position, view }: Props) {
  const { total } = view.fills
  // Markouts are known later: every minute the page is asked again.
  const version = `${total} ${Math.floor(view.now / 60_000)}`
  const pages = usePages<FillAnswerRow>('fills', { position, limit: PAGE_ROWS }, version)
  return (
    <section class="panel fills" aria-labelledby="fills">
      <h2 id="fills">
        Fills <span class="unit">{numberText(total, 0)} since the start</span>
      </h2>
      {pages.problem !== null && <p class="bad">{pages.problem}</p>}
      {pages.rows.length === 0 ? (
        <p class="note">{total === 0 ? 'None yet.' : 'Loading.'}</p>
      ) : (
        <div class="scroll" tabIndex={0} role="region" aria-label="Fills">
          <table>
            <Head />
            <tbody>
              {pages.rows.map((fill) => (
                <Fill key={fill.id} fill={fill} now={view.now} />
              ))}
            </tbody>
          </table>
          {pages.next !== null && (
            <button type="button" class="plain" disabled={pages.loading} onClick={pages.older}>
              Older fills
            </button>
          )}
        </div>
      )}
    </section>
  )
}

function Head() {
  return (
    <TableHead>
      <Column>Time, UTC</Column>
      <Column>Side</Column>
      <Column number>In</Column>
      <Column number>Out</Column>
      <Column number>Edge, bps</Column>
      <Column number>5 min</Column>
      <Column number>1 h</Column>
      <Column number>1 d</Column>
      <Column>Id</Column>
    </TableHead>
  )
}

function Fill({ fill, now }: { readonly fill: FillAnswerRow; readonly now: number }) {
  const { markoutBps, edgeBps, formula } = fill
  return (
    <tr>
      <td>{shownTime(fill.at, now)}</td>
      <td class={`side ${fill.side}`}>{fill.side}</td>
      <td class="number" title={`${fill.amountIn} ${fill.inAsset}`}>
        {shownDecimal(fill.amountIn, DIGITS[fill.inAsset] ?? 2)} <small>{fill.inAsset}</small>
      </td>
      <td class="number" title={`${fill.amountOut} ${fill.outAsset}`}>
        {shownDecimal(fill.amountOut, DIGITS[fill.outAsset] ?? 2)} <small>{fill.outAsset}</small>
      </td>
      <Bps value={edgeBps} note={formula === 'unexplained' ? 'no formula explains this payout' : formula} />
      <Bps value={markoutBps.m5} />
      <Bps value={markoutBps.h1} />
      <Bps value={markoutBps.d1} />
      <td class="id" title={fill.txHash === null ? fill.id : `${fill.id}, transaction ${fill.txHash}`}>
        {fill.id}
      </td>
    </tr>
  )
}

function Bps({ value, note }: { readonly value: number | null; readonly note?: string }) {
  const tone = value === null || value === 0 ? '' : value < 0 ? 'minus' : 'plus'
  return (
    <td class={`number ${tone}`} title={note}>
      {numberText(value, 1, true)}
    </td>
  )
}
