import { identityResidual } from '../../../src/core/ledger/book/pnl.ts'
import { violated, type Invariant } from '../step.ts'

/** Both PnL identities hold exactly, after everything that can move a term of them. */
export function identitiesHold(): Invariant {
  return {
    check({ audit, state }) {
      const moved = audit.observations.some(({ type }) => type === 'entryPosted' || type === 'midChanged')
      if (!moved) return
      const residual = identityResidual(state.book)
      if (residual === null) return
      if (residual.tzs !== 0n || residual.usd !== 0n)
        violated(`the PnL identities are off by ${residual.tzs} and ${residual.usd}`)
    },
  }
}
