import { CORE_ALERTS } from '../../core/alerts/core-alerts.ts'
import { POSITION_NOTICES } from '../../core/alerts/position-notices.ts'
import { type Amounts, ASSETS, formatAmount } from '../../base/money/asset.ts'
import { formatDecimalText } from '../../base/money/decimal-text.ts'
import { formatRate } from '../../base/money/rate.ts'
import type { Entries } from './entry.ts'

const USD_DECIMALS = 18

/** Fills, postings, and whether the ledger equals the venue's balances. */
export const LEDGER_ENTRIES: Entries<
  'fillPosted' | 'entryPosted' | 'rowQuarantined' | 'reconciliationChanged' | 'feeModelChanged'
> = {
  fillPosted: {
    severity: ({ formula }) =>
      formula === 'unexplained' ? CORE_ALERTS['fill-unexplained'].severity : 'info',
    sentence: ({ fill, formula }) =>
      formula === 'unexplained' ? 'no pricing formula explains the payout of a fill' : `${fill.side} filled`,
    fields: ({ fill, fee, feeSource, midAtFill, formula, volumeUsd, alternatives }) => ({
      id: fill.id,
      side: fill.side,
      inAsset: fill.inAsset,
      amountIn: formatAmount(fill.amountIn),
      outAsset: fill.outAsset,
      amountOut: formatAmount(fill.amountOut),
      fee: formatAmount(fee),
      feeSource,
      mid: midAtFill === null ? null : formatRate(midAtFill),
      formula,
      ...(alternatives === undefined ? {} : { alternatives }),
      volumeUsd: formatDecimalText(volumeUsd, USD_DECIMALS),
      createdAt: fill.createdAt,
      txHash: fill.txHash,
    }),
    counts({ fill: { side }, volumeUsd }) {
      const usd = Math.max(0, Number(formatDecimalText(volumeUsd, USD_DECIMALS)))
      return [
        { counter: 'fills', labels: { side } },
        { counter: 'fillVolumeUsd', labels: { side }, by: usd },
      ]
    },
    table: 'fills',
  },
  entryPosted: {
    severity: ({ entry: { kind } }) =>
      kind === 'adjustment' ? 'warning' : kind === 'fill' ? 'debug' : 'info',
    sentence: ({ entry: { kind, reason } }) =>
      kind === 'adjustment' ? `the ledger is adjusted: ${reason}` : `posted: ${kind}`,
    fields: ({ entry: { number, kind, reason, fillId, postings } }) => ({
      number,
      kind,
      reason,
      fillId,
      postings: postings.map(({ account, asset, amount }) => `${account} ${formatAmount(amount)} ${asset}`),
    }),
    table: 'entries',
  },
  rowQuarantined: {
    severity: () => POSITION_NOTICES['row-quarantined'].severity,
    sentence: ({ row }) => `a fill row is quarantined: ${row.reason}`,
    fields: ({ row }) => ({ id: row.id, reason: row.reason, raw: row.raw }),
    counts: () => [{ counter: 'quarantinedRows', labels: {} }],
    table: 'quarantine',
    call: () => ({ code: 'row-quarantined', kind: 'raised' }),
  },
  reconciliationChanged: {
    severity: ({ state }) => (state === 'break' ? 'critical' : 'info'),
    sentence({ state, why, unreconciled }) {
      if (state !== 'break') return `${RECONCILIATION[state]}${why === '' ? '' : `: ${why}`}`
      const differs = Object.entries(amountTexts(unreconciled)).map(([asset, text]) => `${text} ${asset}`)
      return `reconciliation break: ${why}${differs.length === 0 ? '' : `; venue minus ledger: ${differs.join(', ')}`}`
    },
    fields: ({ state, why, unreconciled }) => ({ state, why, unreconciled: amountTexts(unreconciled) }),
    table: 'notices',
    call: ({ state }) => (state === 'break' ? { code: 'fills-gap', kind: 'raised' } : null),
  },
  feeModelChanged: {
    severity: () => CORE_ALERTS['fee-changed'].severity,
    sentence: ({ model, why }) => `the protocol fee is now assumed to be ${model}: ${why}`,
    fields: ({ model, why }) => ({ model, why }),
    table: 'notices',
  },
}

const RECONCILIATION = { reconciled: 'reconciled', pending: 'reconciliation is pending' } as const

function amountTexts(amounts: Partial<Amounts>): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const asset of ASSETS) {
    const amount = amounts[asset] ?? 0n
    if (amount !== 0n) texts[asset] = formatAmount(amount)
  }
  return texts
}
