import type { OrderView, RfqView } from '../../../../src/daemon/view/rfq-view.ts'

/** A position in self-custody that owes two orders; a test changes what it is about. */
export function exampleRfqView(changes: Partial<RfqView> = {}): RfqView {
  return {
    custody: 'self',
    solver: '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
    blocked: null,
    chain: { block: '1234', ageMs: 2_500, gasGwei: '0.012' },
    clockOffsetMs: { venue: -40, chain: null },
    requestShare: { limit: 15, used: 6 },
    promised: { NTZS: '515000.5', USDC: '0' },
    free: { NTZS: '484999.5', USDC: '-3.25' },
    balances: { NTZS: '1000000', USDC: '500' },
    allowances: { NTZS: '1000000', USDC: '0' },
    orders: [exampleOrder(), exampleOrder({ salt: '8', phase: 'cancelling', status: 'FILLABLE' })],
    counts: { signed: 9, filled: 3, rejected: 1, cancelled: 2, expired: 2 },
    ...changes,
  }
}

export function exampleOrder(changes: Partial<OrderView> = {}): OrderView {
  return {
    salt: '7',
    hash: `0x${'ab'.repeat(32)}`,
    side: 'ask',
    stable: 'USDC',
    usd: '200.5',
    remainingUsd: '100.25',
    priceTzs: '2587.25',
    expiresAt: 62_000,
    phase: 'open',
    status: null,
    ...changes,
  }
}
