import { createHash } from 'node:crypto'
import type { Ms } from '../../../base/time.ts'
import type { TreasuryConfig } from '../../../treasury/model/config.ts'
import type { TreasuryEvent } from '../../../treasury/model/event.ts'

/** Returns the event that puts a configuration into force. `author` is the token that reloaded it; null = no token did. */
export function configuredEvent(config: TreasuryConfig, t: Ms, author: string | null): TreasuryEvent {
  return { type: 'configured', t, config, policyHash: policyHashOf(config), author }
}

/**
 * Returns the SHA-256 (hexadecimal) of everything that an approval depends on: policy, payees and approval rules, as canonical
 * JSON (keys in order of their code units, amounts as strings; RFC 8785 for the values of a configuration).
 */
export function policyHashOf(config: TreasuryConfig): string {
  const { policy, payees, approval, mode, userId, keysHonoured } = config
  const text = canonicalJson({ policy, payees, approval, mode, userId, keysHonoured })
  return createHash('sha256').update(text).digest('hex')
}

function canonicalJson(value: unknown): string {
  if (typeof value === 'bigint') return JSON.stringify(value.toString())
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}
