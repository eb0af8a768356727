import { MINUTE_MS, type Ms } from '../base/time.ts'
import { ASSETS, type Amounts } from '../money/asset.ts'
import { RECONCILIATION_SEVERITY } from '../engine/model/observation.ts'
import { LEVEL_OF_SEVERITY } from './metrics/metric-labels.ts'
import { formatAmount } from '../money/amount.ts'
import { formatDecimalText } from '../money/decimal-text.ts'
import { formatRate } from '../money/rate.ts'
import type { Log } from './log/log.ts'
import type { Handlers } from './handlers.ts'
import type { Metrics } from './metrics/metrics.ts'

const USD_DECIMALS = 18

/** What happened to our units, and whether the books are whole. */
export function ledgerHandlers(
  log: Log,
  metrics: Metrics,
): Handlers<'fillPosted' | 'entryPosted' | 'rowQuarantined' | 'reconciliationChanged' | 'feeModelChanged'> {
  return {
    fillPosted({ fill, fee, feeSource, midAtFill, formula, volumeUsd }) {
      const { side, inAsset, outAsset } = fill
      const volume = formatDecimalText(volumeUsd, USD_DECIMALS)
      metrics.fills.inc({ side })
      metrics.fillVolumeUsd.inc({ side }, Math.max(0, Number(volume)))
      const line = {
        event: 'fillPosted',
        id: fill.id,
        side,
        inAsset,
        amountIn: formatAmount(fill.amountIn, inAsset),
        outAsset,
        amountOut: formatAmount(fill.amountOut, outAsset),
        fee: formatAmount(fee, outAsset),
        feeSource,
        mid: midAtFill === null ? null : formatRate(midAtFill),
        formula,
        volumeUsd: volume,
        createdAt: fill.createdAt,
        txHash: fill.txHash,
      }
      if (formula === 'unexplained') log.warn(line, 'a fill whose payout no pricing formula explains')
      else log.info(line, `${side} filled`)
    },
    entryPosted({ entry }) {
      const { number, kind, reason, fillId } = entry
      const postings = entry.postings.map(
        ({ account, asset, amount }) => `${account} ${formatAmount(amount, asset)} ${asset}`,
      )
      const line = { event: 'entryPosted', number, kind, reason, fillId, postings }
      if (kind === 'adjustment') log.warn(line, `the ledger was adjusted: ${reason}`)
      else if (kind === 'fill') log.debug(line, 'posted')
      else log.info(line, `posted: ${kind}`)
    },
    rowQuarantined: createQuarantineLog(log, metrics),
    reconciliationChanged({ state, why, unreconciled }) {
      const line = { event: 'reconciliationChanged', state, why, unreconciled: texts(unreconciled) }
      const text = state === 'break' ? `reconciliation break: ${why}` : `fills and balances: ${state}`
      log[LEVEL_OF_SEVERITY[RECONCILIATION_SEVERITY[state]]](line, text)
    },
    feeModelChanged({ model, why }) {
      log.warn({ event: 'feeModelChanged', model, why }, `the protocol fee is now taken as: ${model}`)
    },
  }
}

/**
 * Every row is counted, and stands in the store; a log line has the first, and at most one a minute follows,
 * which has how many there were since the one before it.
 */
function createQuarantineLog(log: Log, metrics: Metrics): Handlers<'rowQuarantined'>['rowQuarantined'] {
  let saidAt: Ms | null = null
  let unsaid = 0
  return ({ t, row }) => {
    metrics.quarantinedRows.inc()
    unsaid += 1
    if (saidAt !== null && t - saidAt < MINUTE_MS && t >= saidAt) return
    const line = { event: 'rowQuarantined', rows: unsaid, id: row.id, reason: row.reason, raw: row.raw }
    const rows = unsaid === 1 ? 'a fill row' : `${unsaid} fill rows`
    log.error(
      line,
      `${rows} could not be understood and ${unsaid === 1 ? 'was' : 'were'} set aside: ${row.reason}`,
    )
    saidAt = t
    unsaid = 0
  }
}

function texts(amounts: Partial<Amounts>): Record<string, string> {
  const result: Record<string, string> = {}
  for (const asset of ASSETS) {
    const amount = amounts[asset]
    if (amount !== undefined) result[asset] = formatAmount(amount, asset)
  }
  return result
}
