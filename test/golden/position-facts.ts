import type { EngineState } from '../../src/core/engine/model/state.ts'
import type { Observation } from '../../src/core/engine/model/observation.ts'
import { identityResidual, pnl } from '../../src/core/ledger/book/pnl.ts'
import { inTokenUnits } from './token-units.ts'
import { todaysWord, writtenWord } from './written-words.ts'

/** Plain JSON: amounts as text, in units of their tokens. */
export type Facts = unknown

/**
 * What an upgrade must not change: books, PnL, open orders, trading state and the quote. This file and its
 * neighbour `decision-lines.ts` are all that the golden tests know of the core's state.
 */
export function positionFacts(state: EngineState): Facts {
  const { latch, quoting, activation, flow, withdrawals, reconciliation, rfq } = state
  return plain({
    now: state.now,
    ledger: { accounts: inTokenUnits(state.book.accounts), entries: state.book.entries },
    fills: { count: flow.count, volumeUsd: flow.volumeUsd, day: flow.day },
    pnl: pnlFacts(state),
    reconciliation: {
      state: todaysWord(reconciliation.state),
      unreconciled: inTokenUnits(reconciliation.unreconciled),
      since: state.reconciliationSince,
      breakSince: state.breakSince,
      feeModel: reconciliation.fees.model,
    },
    trading: {
      state: state.decision?.tradingState ?? null,
      halted: latch.halted === null ? null : latch.halted.rule,
      isPaused: latch.paused !== null,
      rules: state.activeRules,
    },
    quote: {
      status: quoting.status,
      confirmed: quoting.confirmed,
      confirmedAt: quoting.confirmedAt,
      approved:
        state.approvedTarget === null
          ? null
          : [state.approvedTarget.kind, state.approvedTarget.bidBps, state.approvedTarget.askBps],
    },
    activation: { isActive: activation.isActive, held: activation.held, wanted: activation.wanted },
    withdrawals: {
      sent: withdrawals.sent,
      unknown: withdrawals.unknown,
      requests: withdrawals.requests.map(({ key, stage, amount }) => [key, stage, amount]),
    },
    openOrders: Object.values(rfq.openOrders)
      .map((order) => ({
        id: order.order.salt,
        side: order.side,
        stable: order.stable,
        makerAsset: order.makerAsset,
        takerAsset: order.takerAsset,
        makerAmount: order.order.makerAmount,
        takerAmount: order.order.takerAmount,
        expiry: order.order.expiry,
        price: order.price,
        reservedAt: order.reservedAt,
        phase: order.phase,
        hash: order.hash,
        status: order.status,
        makerFilled: order.makerFilled,
        takerFilled: order.takerFilled,
        endedAt: order.endedAt,
        isCancelRequested: order.cancel !== null,
      }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    orderCounts: rfq.counts,
  })
}

/** Every fill that was booked, with all its fields. */
export function fillFacts(observations: readonly Observation[]): Facts[] {
  return observations.flatMap((observation) => {
    if (observation.type !== 'fillPosted') return []
    const { fill, fee, feeSource, midAtFill, formula, volumeUsd, t } = inTokenUnits(observation)
    const { raw: _raw, fee: rowFee, ...row } = fill
    return [plain({ ...row, t, rowFee, fee, feeSource, midAtFill, formula: writtenWord(formula), volumeUsd })]
  })
}

function pnlFacts(state: EngineState): unknown {
  const found = pnl(state.book)
  if (found === null) return null
  const { tzs, usd } = found
  return {
    tzs: {
      spreadCapture: tzs.spreadCapture,
      staleMid: tzs.staleMid,
      inventory: tzs.inventory,
      costs: tzs.costs,
      unreconciled: tzs.unreconciled,
      total: tzs.total,
      opening: tzs.opening,
      transfers: tzs.flows,
      value: tzs.value,
    },
    usd: {
      edge: usd.edge,
      inventory: usd.inventory,
      costs: usd.costs,
      unreconciled: usd.unreconciled,
      total: usd.total,
      opening: usd.opening,
      transfers: usd.flows,
      value: usd.value,
    },
    byStable: Object.fromEntries(
      Object.entries(found.byStable).map(([stable, one]) => [
        stable,
        {
          spreadCapture: one.spreadCapture,
          staleMid: one.staleMid,
          inventory: one.inventory,
          edgeUsd: one.edgeUsd,
        },
      ]),
    ),
    drawdown: [found.peakTzs, found.drawdownTzs, found.maxDrawdownTzs],
    residual: identityResidual(state.book),
  }
}

/** As it comes back from a JSON file: what is undefined is absent, a bigint is text. */
function plain(value: unknown): Facts {
  return JSON.parse(
    JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner)),
  )
}
