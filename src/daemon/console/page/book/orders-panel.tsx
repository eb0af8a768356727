import type { OrderView, RfqView } from '../../../view/rfq-view.ts'
import { type Column, DataTable } from '../data-table.tsx'
import { ladderOf } from '../quote/ladder.ts'
import { Panel, Row } from '../panel.tsx'
import { shownAge, shownDecimal, numberText } from '../text.ts'

type Props = { readonly rfq: RfqView; readonly now: number }
type Asset = keyof RfqView['balances']

/** Self-custody: a signed order is outstanding until it is filled, cancelled on chain or past its expiry. */
export function OrdersPanel({ rfq, now }: Props) {
  const { orders, blocked, balances, chain, clockOffsetMs, requestShare, counts } = rfq
  return (
    <Panel id="orders" class="orders" title="Signed orders" unit={`${orders.length} outstanding`}>
      {blocked !== null && <p class="warn">No order is placed: {blocked}</p>}
      <div class="split">
        <DataTable
          label="Promises"
          columns={promises(rfq)}
          rows={Object.keys(balances) as Asset[]}
          keyOf={(asset) => asset}
        />
        <dl class="rows">
          <Row name="Chain">
            {chain === null
              ? 'not read yet'
              : `block ${chain.block}, ${shownAge(chain.ageMs)} old, gas ${shownDecimal(chain.gasGwei, 3)} gwei`}
          </Row>
          <Row name="Clocks, against ours">
            venue {offset(clockOffsetMs.venue)}, chain {offset(clockOffsetMs.chain)}
          </Row>
          <Row name="Requests for orders">
            {requestShare.used} of {requestShare.limit} used this minute
          </Row>
          <Row name="Since the start">
            {(['signed', 'filled', 'cancelled', 'expired', 'rejected'] as const)
              .map((end) => `${numberText(counts[end], 0)} ${end}`)
              .join(', ')}
          </Row>
          <Row name="Filled by">
            <code>{rfq.solver ?? 'not known yet'}</code>
          </Row>
        </dl>
      </div>
      {orders.length > 0 && (
        <div class="split">
          {ladderOf(rfq).map(({ side, orders: rows }) => (
            <DataTable
              key={side}
              label={side === 'bid' ? 'Bids, best first' : 'Asks, best first'}
              columns={orderColumns(side, now)}
              rows={rows}
              keyOf={({ salt }) => salt}
            >
              {rows.length === 0 && <p class="note">No {side} is open.</p>}
            </DataTable>
          ))}
        </div>
      )}
    </Panel>
  )
}

function promises({ balances, promised, free }: RfqView): readonly Column<Asset>[] {
  return [
    { title: 'Token', kind: 'head', cell: (asset) => asset },
    { title: 'Wallet', kind: 'number', cell: (asset) => shownDecimal(balances[asset], 2) },
    { title: 'Promised', kind: 'number', cell: (asset) => shownDecimal(promised[asset], 2) },
    {
      title: 'Free',
      kind: 'number',
      cell: (asset) => shownDecimal(free[asset], 2),
      tone: (asset) => (free[asset]?.startsWith('-') === true ? 'bad' : ''),
    },
  ]
}

function orderColumns(side: OrderView['side'], now: number): readonly Column<OrderView>[] {
  return [
    {
      title: side === 'bid' ? 'Bid, TZS per $' : 'Ask, TZS per $',
      kind: 'number',
      cell: ({ priceTzs }) => shownDecimal(priceTzs, 2),
      hint: ({ hash, salt }) => `order ${hash ?? salt}`,
    },
    {
      title: 'Left, $',
      kind: 'number',
      cell: ({ remainingUsd, usd }) => `${shownDecimal(remainingUsd, 0)} of ${shownDecimal(usd, 0)}`,
    },
    { title: 'Token', cell: ({ stable }) => stable },
    { title: 'Expires in', kind: 'number', cell: ({ expiresAt }) => shownAge(Math.max(0, expiresAt - now)) },
    { title: 'State', cell: orderState },
  ]
}

const PHASES = {
  reserving: 'being prepared',
  placing: 'being sent',
  open: 'open',
  unknown: 'sent, no answer yet',
  refused: 'refused by the venue',
  cancelling: 'being cancelled',
} as const
const STATUSES = {
  INVALID: 'invalid on chain',
  FILLABLE: null,
  FILLED: 'filled on chain',
  CANCELLED: 'cancelled on chain',
  EXPIRED: 'expired on chain',
} as const

/** Returns what we know of an order, and what the chain reported if it differs. */
function orderState({ phase, status }: OrderView): string {
  const chain = status === null ? 'not read on chain yet' : STATUSES[status]
  return chain === null ? PHASES[phase] : `${PHASES[phase]}; ${chain}`
}

function offset(ms: number | null): string {
  return ms === null ? 'not measured' : `${numberText(ms, 0, true)} ms`
}
