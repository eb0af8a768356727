import { withDocumentedNames } from '../../base/http/documented-names.ts'
import { MAX_SPREAD_BPS } from '../../base/money/bps.ts'
import { readDeactivation } from './activation.ts'
import { LP_ALIASES } from './aliases.ts'
import { asFlag, asWhole } from './fields.ts'
import type { GuardDialect } from './guard.ts'

export const LP_DIALECT: GuardDialect = {
  keyHeaders: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),

  codeOf({ code, error }) {
    const named = typeof code === 'string' ? code : error
    return typeof named === 'string' && /^[A-Z_]{1,40}$/.test(named) ? named : null
  },

  spreadOf({ spreadBps }) {
    const bps = asWhole(spreadBps)
    return Number.isInteger(bps) ? (bps as number) : null
  },

  isActive(account) {
    const named = withDocumentedNames(account, LP_ALIASES.account)
    const isActive = named.ok ? asFlag(named.value['isActive']) : null
    return typeof isActive === 'boolean' ? isActive : null
  },

  readDeactivation,

  /**
   * The answer may omit the pairs, and the flag of a side that the request opens. A side that the request closes is confirmed by its
   * flag or by the widest spread: a venue without flags cannot close it.
   */
  confirms(answer, asked) {
    const isSideHeld = (bps: string, flag: string) => {
      if (asWhole(answer[bps]) !== asked[bps]) return false
      const stated = asFlag(answer[flag] ?? null)
      return (
        stated === asked[flag] || (stated === null && (asked[flag] === true || asked[bps] === MAX_SPREAD_BPS))
      )
    }
    return isSideHeld('bidBps', 'quoteBid') && isSideHeld('askBps', 'quoteAsk')
  },

  isClosed: (answer, side) => asFlag(answer[side === 'bid' ? 'quoteBid' : 'quoteAsk'] ?? null) === false,
}
