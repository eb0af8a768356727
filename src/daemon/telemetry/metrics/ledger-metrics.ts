import { Counter, Gauge, type Registry } from 'prom-client'
import { absentGauge } from './optional-gauge.ts'
import { SIDES } from '../../../base/money/side.ts'

export type LedgerMetrics = {
  readonly inventory: Gauge<'token'>
  readonly inventoryLimit: Gauge<'token' | 'bound'>
  readonly inventoryShare: Gauge
  readonly fills: Counter<'side'>
  readonly fillVolumeUsd: Counter<'side'>
  readonly quarantinedRows: Counter
  readonly pnlTzs: Gauge<'component'>
  readonly pnlUsd: Gauge<'component'>
  readonly reconciled: Gauge
  readonly provenAgeSeconds: Gauge
  readonly unreconciled: Gauge<'token'>
}

/** What we hold, what came of it, and whether the books are whole. Floats for charts; the ledger is exact. */
export function ledgerMetrics(registry: Registry): LedgerMetrics {
  return { ...holdingMetrics(registry), ...resultMetrics(registry) }
}

function holdingMetrics(registry: Registry) {
  const registers = [registry]
  return {
    inventory: new Gauge({
      name: 'mizani_inventory',
      help: 'Tokens that are ours by the ledger, pool and wallet together, in whole tokens. USDT on bnb is the token USDT.bnb.',
      labelNames: ['token'],
      registers,
    }),
    inventoryLimit: new Gauge({
      name: 'mizani_inventory_limit',
      help: 'The limits of inventory.limits, min and max, in whole tokens: at a limit the side that would go beyond it is off. Absent where none is set.',
      labelNames: ['token', 'bound'],
      registers,
    }),
    inventoryShare: absentGauge(
      registry,
      'mizani_inventory_share',
      'Share of the value held in dollars, 0 to 1, at the mid. Absent when it cannot be valued.',
    ),
    reconciled: absentGauge(
      registry,
      'mizani_reconciled',
      '1 = every fill is seen and the balances equal the ledger to the last unit, 0 = reconciliation break. Absent while the reconciliation is pending.',
    ),
    provenAgeSeconds: absentGauge(
      registry,
      'mizani_balances_proven_age_seconds',
      'Age of the latest balances reading that equalled the ledger to the last unit: how late a wrong balance may be detected. Absent before the first one.',
    ),
    unreconciled: new Gauge({
      name: 'mizani_unreconciled',
      help: 'Venue balance minus ledger, in whole tokens. 0 = reconciled; any other value is an amount that no fill and no transfer explains. Absent while the reconciliation is pending.',
      labelNames: ['token'],
      registers,
    }),
  }
}

function resultMetrics(registry: Registry) {
  const registers = [registry]
  const quarantinedRows = new Counter({
    name: 'mizani_fill_rows_quarantined_total',
    help: 'Rows of GET /fills that were set aside since this process started: not parsed, changed after they were booked, or too old. The store has each row.',
    registers,
  })
  const fills = new Counter({
    name: 'mizani_fills_total',
    help: 'Fills posted to the ledger since this process started. bid: we bought shillings; ask: we sold them.',
    labelNames: ['side'],
    registers,
  })
  const fillVolumeUsd = new Counter({
    name: 'mizani_fill_volume_usd_total',
    help: 'Dollars that changed hands in those fills.',
    labelNames: ['side'],
    registers,
  })
  for (const side of SIDES) {
    fills.inc({ side }, 0)
    fillVolumeUsd.inc({ side }, 0)
  }
  return {
    fills,
    fillVolumeUsd,
    quarantinedRows,
    pnlTzs: new Gauge({
      name: 'mizani_pnl_tzs',
      help: 'Profit and loss in TZS since the opening, net of own deposits and withdrawals, by component: spread_capture, stale_mid, inventory, costs, unreconciled. Signed contributions: their sum is the total. Absent when it cannot be valued.',
      labelNames: ['component'],
      registers,
    }),
    pnlUsd: new Gauge({
      name: 'mizani_pnl_usd',
      help: 'The same in USD, by component: edge, inventory, costs, unreconciled. The sum is the total; the terms do not convert to those in TZS one by one.',
      labelNames: ['component'],
      registers,
    }),
  }
}
