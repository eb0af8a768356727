import { createHash } from 'node:crypto'
import { encodeJson } from '../base/codec.ts'
import type { Audit } from '../engine/create-engine.ts'
import type { EngineState } from '../engine/engine-state.ts'

export const FIRST_DIGEST = '0'.repeat(64)

/**
 * Chains what was decided: each link is sha-256 over the one before it and one event's effects with the
 * approved quote. Events without effects leave it unchanged. Equal journals give equal chains.
 */
export function chainDigest(digest: string, audit: Audit, state: EngineState | null): string {
  if (audit.effects.length === 0) return digest
  const stance = state?.stance ?? null
  const link = [
    audit.seq,
    audit.effects,
    state?.decision?.tradingState ?? null,
    stance === null ? null : [stance.kind, stance.bidBps, stance.askBps],
  ]
  return createHash('sha256').update(digest).update(encodeJson(link)).digest('hex')
}
