import { createHash } from 'node:crypto'
import { encodeJson } from '../../../base/codec.ts'
import type { Audit } from '../../../core/engine/engine.ts'
import type { EngineState } from '../../../core/engine/model/state.ts'

export const FIRST_DIGEST = '0'.repeat(64)

/** The part of one event that enters the chain: its effects with the approved quote. */
type DigestLink = readonly unknown[]

/** Returns the link of an event; null = it decided nothing. Cheap, because nothing is encoded yet. */
export function digestLink(audit: Audit, state: EngineState | null): DigestLink | null {
  if (audit.effects.length === 0) return null
  const approvedTarget = state?.approvedTarget ?? null
  return [
    audit.seq,
    audit.effects,
    state?.decision?.tradingState ?? null,
    approvedTarget === null ? null : [approvedTarget.kind, approvedTarget.bidBps, approvedTarget.askBps],
  ]
}

/**
 * Chains the decisions: each value is the sha-256 of the previous value and one link. Events without a link leave it unchanged.
 * Equal journals give equal chains.
 */
export function chainDigest(digest: string, link: DigestLink | null): string {
  return link === null ? digest : createHash('sha256').update(digest).update(encodeJson(link)).digest('hex')
}

type DecisionDigest = {
  /** Adds the decisions of an event; hashes nothing yet. */
  readonly add: (audit: Audit, state: EngineState | null) => void
  /** Returns the digest of all events added so far. */
  readonly value: () => string
}

/** The chain of decision digests of a running position: links are taken at once and hashed when there is time. */
export function createDecisionDigest(from: string): DecisionDigest {
  let digest = from
  let links: DigestLink[] = []
  return {
    add(audit, state) {
      const link = digestLink(audit, state)
      if (link !== null) links.push(link)
    },
    value() {
      for (const link of links) digest = chainDigest(digest, link)
      if (links.length > 0) links = []
      return digest
    },
  }
}
