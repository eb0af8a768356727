import { violated, type Invariant } from '../step.ts'
import type { Tally } from '../tally.ts'

/** Money leaves only on an operator's word, once, to a listed address; a dry run moves nothing. */
export function writesAreWanted(tally: Tally): Invariant {
  return {
    check({ event, audit, state }) {
      const { config } = state
      for (const effect of audit.effects) {
        if (effect.type === 'activate') {
          tally.activations += 1
          if (config.mode === 'dry-run') violated('a dry run sent an activation')
        }
        if (effect.type !== 'withdraw') continue
        tally.withdrawals += 1
        if (config.mode === 'dry-run') violated('a dry run sent a withdrawal')
        if (event.type !== 'operator' || event.command.name !== 'withdraw')
          violated('a withdrawal that no one has asked for')
        if (!config.withdraw.destinations.includes(effect.toAddress))
          violated(`a withdrawal to ${effect.toAddress}, which is not listed`)
        if (effect.amount !== event.command.amount) violated('a withdrawal of another amount')
      }
    },
  }
}
