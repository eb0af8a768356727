import { alignColumns } from '../output/tables.ts'
import type { PositionView } from '../../daemon/view/position-view.ts'
import type { OrderView, RfqView } from '../../daemon/view/rfq-view.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { fail, print, printStoreError, type ConfigOptions } from '../output/print.ts'
import { readOffline } from '../inspect/position.ts'
import { ageText } from '../../base/text/times.ts'
import { decimalText } from '../../base/text/numbers.ts'

export const NO_SELF_CUSTODY = 'there are no signed orders: the configuration has no section rfq'

/** Every open order, from the daemon or, without one, from the store. */
export async function rfqList(options: ConfigOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options, { offline: true })
  if (config === null) return
  await printStoreError(options, async () => {
    const seen = await readOffline(config)
    if ('why' in seen) return fail(options, seen.exitCode, seen.why)
    const { view, note } = seen
    if (view.rfq === null) return fail(options, EXIT_CODE.refused, NO_SELF_CUSTODY)
    const text = [...(note === null ? [] : [note]), ...orderLines(view.rfq, view.now)].join('\n')
    print(options, text, dataOf(view, view.rfq, note))
  })
}

function dataOf(view: PositionView, rfq: RfqView, note: string | null): object {
  const { orders, promised, free, blocked, chain } = rfq
  const about = { position: view.name, now: view.now, running: note === null }
  return { ...about, ...(note === null ? {} : { note }), orders, promised, free, blocked, chain }
}

const HEADINGS = ['salt', 'side', 'USD', 'left', 'TZS/USD', 'expires', 'state', 'hash'] as const

/** Renders a table of orders; the full hashes are last, so that they can be copied. */
export function orderLines({ orders, blocked }: Pick<RfqView, 'orders' | 'blocked'>, now: number): string[] {
  const because = blocked === null ? [] : [`no order is placed: ${blocked}`]
  if (orders.length === 0) return ['no order is open', ...because]
  const rows = [HEADINGS, ...orders.map((order) => cellsOf(order, now))]
  const lines = alignColumns(rows, () => true)
  return [...lines, ...because]
}

function cellsOf(order: OrderView, now: number): readonly string[] {
  const left = order.expiresAt - now
  return [
    order.salt,
    order.side,
    `${decimalText(order.usd, 2)} ${order.stable}`,
    decimalText(order.remainingUsd, 2),
    decimalText(order.priceTzs, 2),
    left > 0 ? `in ${ageText(left)}` : `${ageText(-left)} ago`,
    order.status === null ? order.phase : `${order.phase}, ${order.status}`,
    order.hash ?? 'not signed yet',
  ]
}
