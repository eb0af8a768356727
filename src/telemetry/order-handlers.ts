import type { OrderObservation } from '../engine/model/observation.ts'
import { formatDecimalText } from '../money/decimal-text.ts'
import { formatRate } from '../money/rate.ts'
import type { Log } from './log/log.ts'
import type { Handlers } from './handlers.ts'
import type { Metrics } from './metrics/metrics.ts'
import { ORDER_CODES } from './metrics/rfq-metrics.ts'
import { wordOf } from './metrics/metric-labels.ts'

const USD_DECIMALS = 18

/** What became of signed orders. Amounts of fills are base units of the tokens beside them. */
export function orderHandlers(log: Log, metrics: Metrics): Handlers<OrderObservation['type']> {
  return {
    orderReserved({ salt, side, stable, usd, priceTzs, expiry }) {
      const price = formatRate(priceTzs)
      const dollars = formatDecimalText(usd, USD_DECIMALS)
      const line = { event: 'orderReserved', salt, side, stable, usd: dollars, priceTzs: price, expiry }
      log.info(line, `order ${salt}: ${side} ${dollars} ${stable} at ${price}`)
    },
    orderWithheld({ salt, why }) {
      log.info({ event: 'orderWithheld', salt, why }, `order ${salt} was not signed: ${why}`)
    },
    orderPlaced({ salt, hash }) {
      metrics.rfqSigned.inc()
      log.info({ event: 'orderPlaced', salt, hash }, `order ${salt} stands at the venue`)
    },
    orderRejected({ salt, stage, code, isVoid, message }) {
      if (stage === 'submit') metrics.rfqSigned.inc()
      metrics.rfqRejected.inc({ code: wordOf(ORDER_CODES, code) })
      const rest = isVoid ? 'it was never signed' : 'it stays owed until the chain says otherwise'
      const what = stage === 'sign' ? 'was not signed' : 'was not taken by the venue'
      const line = { event: 'orderRejected', salt, stage, code, isVoid }
      log.warn(line, `order ${salt} ${what} (${code}): ${message}; ${rest}`)
    },
    orderFilled({ salt, fill, isWhole }) {
      metrics.rfqFills.inc()
      const line = { event: 'orderFilled', isWhole, ...fill, salt }
      if (salt === null) log.error(line, `an order that we do not know was filled: ${fill.orderHash}`)
      else log.info(line, `order ${salt} ${isWhole ? 'is filled' : 'was filled in part'}`)
    },
    orderFillUndone({ fill }) {
      log.error(
        { event: 'orderFillUndone', ...fill },
        `the chain took back a fill of order ${fill.salt ?? fill.orderHash}`,
      )
    },
    orderResolved({ salt, how }) {
      log.info({ event: 'orderResolved', salt, how }, `order ${salt} is owed no more: ${how}`)
    },
    cancelSent({ salts, how, txHash, why }) {
      const line = { event: 'cancelSent', salts, how, txHash, why }
      log.info(line, `${salts.length} ${salts.length === 1 ? 'order' : 'orders'} being cancelled: ${why}`)
    },
  }
}
