import type { OrderView, RfqView } from '../../../view/rfq-view.ts'
import { type Column, DataTable } from '../data-table.tsx'
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
          <Row name="Clock against us">
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
          <Row name="Solver">
            <code>{rfq.solver ?? 'not known yet'}</code>
          </Row>
        </dl>
      </div>
      {orders.length > 0 && (
        <DataTable
          label="Signed orders"
          columns={orderColumns(now)}
          rows={orders}
          keyOf={({ salt }) => salt}
        />
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

function orderColumns(now: number): readonly Column<OrderView>[] {
  return [
    { title: 'Side', cell: ({ side }) => side },
    { title: 'Price', kind: 'number', cell: ({ priceTzs }) => shownDecimal(priceTzs, 2) },
    {
      title: 'Left of, $',
      kind: 'number',
      cell: ({ remainingUsd, usd }) => `${shownDecimal(remainingUsd, 0)} of ${shownDecimal(usd, 0)}`,
    },
    { title: 'For', cell: ({ stable }) => stable },
    { title: 'Phase', cell: ({ phase }) => phase },
    { title: 'On chain', cell: ({ status }) => status ?? 'not read yet' },
    { title: 'Expires in', kind: 'number', cell: ({ expiresAt }) => shownAge(expiresAt - now) },
    { title: 'Salt', kind: 'id', cell: ({ salt }) => salt, hint: ({ hash }) => hash ?? '' },
  ]
}

function offset(ms: number | null): string {
  return ms === null ? 'not measured' : `${numberText(ms, 0, true)} ms`
}
