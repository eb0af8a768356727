import { CORE_ALERTS } from '../../core/alerts/core-alerts.ts'
import type { OrderObservation } from '../../core/engine/model/observation.ts'
import { formatDecimalText } from '../../base/money/decimal-text.ts'
import { formatRate } from '../../base/money/rate.ts'
import type { Count, Entries } from './entry.ts'

const USD_DECIMALS = 18

/** The life of signed orders. Amounts of fills are in base units of the token named with them. */
export const ORDER_ENTRIES: Entries<OrderObservation['type']> = {
  orderReserved: {
    severity: () => 'info',
    sentence: ({ salt, side, stable, usd, priceTzs }) =>
      `order ${salt}: ${side} ${formatDecimalText(usd, USD_DECIMALS)} ${stable} at ${formatRate(priceTzs)}`,
    fields: ({ salt, side, stable, usd, priceTzs, expiry }) => ({
      salt,
      side,
      stable,
      usd: formatDecimalText(usd, USD_DECIMALS),
      priceTzs: formatRate(priceTzs),
      expiry,
    }),
    table: 'notices',
  },
  orderWithheld: {
    severity: () => 'info',
    sentence: ({ salt, why }) => `order ${salt} was not signed: ${why}`,
    fields: ({ salt, why }) => ({ salt, why }),
    table: 'notices',
  },
  orderPlaced: {
    severity: () => 'info',
    sentence: ({ salt }) => `order ${salt} is open at the venue`,
    fields: ({ salt, hash }) => ({ salt, hash }),
    counts: () => [{ counter: 'rfqSigned', labels: {} }],
    table: 'notices',
  },
  orderRejected: {
    severity: () => 'warning',
    sentence({ salt, stage, code, isVoid, message }) {
      const what = stage === 'sign' ? 'was not signed' : 'was rejected by the venue'
      const rest = isVoid ? 'it has no signature' : 'it stays outstanding until the chain reports its end'
      return `order ${salt} ${what} (${code}): ${message}; ${rest}`
    },
    fields: ({ salt, stage, code, isVoid }) => ({ salt, stage, code, isVoid }),
    counts({ stage, code }) {
      const rejected: Count = { counter: 'rfqRejected', labels: { code } }
      return stage === 'submit' ? [{ counter: 'rfqSigned', labels: {} }, rejected] : [rejected]
    },
    table: 'notices',
  },
  orderFilled: {
    severity: ({ salt }) => (salt === null ? CORE_ALERTS['order-unknown'].severity : 'info'),
    sentence: ({ salt, fill, isWhole }) =>
      salt === null
        ? `an order that this store does not know was filled: ${fill.orderHash}`
        : `order ${salt} ${isWhole ? 'is filled' : 'was filled in part'}`,
    fields: ({ salt, fill, isWhole }) => ({ isWhole, ...fill, salt }),
    counts: () => [{ counter: 'rfqFills', labels: {} }],
    table: 'notices',
  },
  orderFillUndone: {
    severity: () => CORE_ALERTS['fill-undone'].severity,
    sentence: ({ fill }) =>
      `a reorganisation of the chain removed a fill of order ${fill.salt ?? fill.orderHash}`,
    fields: ({ fill }) => ({ ...fill }),
    table: 'notices',
  },
  orderResolved: {
    severity: () => 'info',
    sentence: ({ salt, how }) => `order ${salt} is no longer outstanding: ${how}`,
    fields: ({ salt, how }) => ({ salt, how }),
    table: 'notices',
  },
  cancelSent: {
    severity: () => 'info',
    sentence: ({ salts, why }) =>
      `${salts.length} ${salts.length === 1 ? 'order is' : 'orders are'} being cancelled: ${why}`,
    fields: ({ salts, how, txHash, why }) => ({ salts, how, txHash, why }),
    table: 'notices',
  },
}
