import { asFlag } from './fields.ts'
import { fieldsOf } from '../../base/record.ts'
import type { DeactivationAnswer, ListedToken } from './guard.ts'

const LONGEST_WORDS = 200
const NO_REASON = 'the venue gives no reason'

/**
 * Reads an entry, which the contract does not describe. Measured: `{ tokenAddress, symbol, amount, reason }`. `error` =
 * that of the whole answer.
 */
export function listedToken(entry: unknown, error: unknown): ListedToken {
  const fields = fieldsOf(entry)
  const words = (...names: readonly string[]) => {
    const found = names
      .map((name) => fields[name])
      .find((value): value is string => typeof value === 'string' && value !== '')
    return found?.slice(0, LONGEST_WORDS) ?? null
  }
  return {
    token: words('symbol', 'token', 'tokenAddress') ?? shownWords(entry),
    amount: words('amount'),
    reason: words('reason', 'error', 'message') ?? (error === undefined ? NO_REASON : shownWords(error)),
  }
}

export function readDeactivation(status: number, body: unknown): DeactivationAnswer {
  const { isActive, partial, returned, failed, error, code } = fieldsOf(body)
  if ((code ?? error) === 'POSITION_INACTIVE') return { kind: 'inactive' }
  if (status < 200 || status > 299) return { kind: 'unclear' }
  if (status === 207 || asFlag(partial) === true) {
    const entries: readonly unknown[] = Array.isArray(failed) ? failed : []
    return { kind: 'partial', kept: entries.map((entry) => listedToken(entry, error)) }
  }
  if (asFlag(isActive) !== false) return { kind: 'unclear' }
  return { kind: 'out', returned: Array.isArray(returned) ? returned.length : 0 }
}

function shownWords(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')).slice(0, LONGEST_WORDS)
}
