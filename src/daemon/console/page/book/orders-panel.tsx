import type { ComponentChildren } from 'preact'
import type { OrderView, RfqView } from '../../../view/rfq-view.ts'
import { Column, TableHead } from '../table-head.tsx'
import { shownAge, shownDecimal, numberText } from '../text.ts'

type Props = { readonly rfq: RfqView; readonly now: number }

/** Self-custody: a signed order is outstanding until it is filled, cancelled on chain or past its expiry. */
export function OrdersPanel({ rfq, now }: Props) {
  return (
    <section class="panel orders" aria-labelledby="orders">
      <h2 id="orders">
        Signed orders <span class="unit">{rfq.orders.length} owed</span>
      </h2>
      {rfq.blocked !== null && <p class="warn">No order is placed: {rfq.blocked}</p>}
      <div class="split">
        <div class="scroll" tabIndex={0} role="region" aria-label="Promises">
          <Promises rfq={rfq} />
        </div>
        <dl class="rows">
          <Line name="Chain">
            {rfq.chain === null
              ? 'not read yet'
              : `block ${rfq.chain.block}, ${shownAge(rfq.chain.ageMs)} old, gas ${shownDecimal(rfq.chain.gasGwei, 3)} gwei`}
          </Line>
          <Line name="Clock against us">
            venue {offset(rfq.clockOffsetMs.venue)}, chain {offset(rfq.clockOffsetMs.chain)}
          </Line>
          <Line name="Requests for orders">
            {rfq.requestShare.used} of {rfq.requestShare.limit} used this minute
          </Line>
          <Line name="Since the start">
            {numberText(rfq.counts.signed, 0)} signed, {numberText(rfq.counts.filled, 0)} filled,{' '}
            {numberText(rfq.counts.cancelled, 0)} cancelled, {numberText(rfq.counts.expired, 0)} expired,{' '}
            {numberText(rfq.counts.rejected, 0)} rejected
          </Line>
          <Line name="Solver">
            <code>{rfq.solver ?? 'not known yet'}</code>
          </Line>
        </dl>
      </div>
      {rfq.orders.length > 0 && <Orders orders={rfq.orders} now={now} />}
    </section>
  )
}

function Promises({ rfq }: { readonly rfq: RfqView }) {
  const assets = Object.keys(rfq.balances) as (keyof RfqView['balances'])[]
  return (
    <table>
      <TableHead>
        <Column>Token</Column>
        <Column number>Wallet</Column>
        <Column number>Promised</Column>
        <Column number>Free</Column>
      </TableHead>
      <tbody>
        {assets.map((asset) => (
          <tr key={asset}>
            <th scope="row">{asset}</th>
            <td class="number">{shownDecimal(rfq.balances[asset], 2)}</td>
            <td class="number">{shownDecimal(rfq.promised[asset], 2)}</td>
            <td class={`number ${rfq.free[asset]?.startsWith('-') === true ? 'bad' : ''}`}>
              {shownDecimal(rfq.free[asset], 2)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Orders({ orders, now }: { readonly orders: readonly OrderView[]; readonly now: number }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Signed orders">
      <table>
        <TableHead>
          <Column>Side</Column>
          <Column number>Price</Column>
          <Column number>Left of, $</Column>
          <Column>For</Column>
          <Column>Phase</Column>
          <Column>On chain</Column>
          <Column number>Expires in</Column>
          <Column>Salt</Column>
        </TableHead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.salt}>
              <td>{order.side}</td>
              <td class="number">{shownDecimal(order.priceTzs, 2)}</td>
              <td class="number">
                {shownDecimal(order.remainingUsd, 0)} of {shownDecimal(order.usd, 0)}
              </td>
              <td>{order.stable}</td>
              <td>{order.phase}</td>
              <td>{order.status ?? 'not read yet'}</td>
              <td class="number">{shownAge(order.expiresAt - now)}</td>
              <td class="id" title={order.hash ?? ''}>
                {order.salt}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Line(props: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  )
}

function offset(ms: number | null): string {
  return ms === null ? 'not measured' : `${numberText(ms, 0, true)} ms`
}
