import type { Audit } from '../engine/engine.ts'
import type { EngineState } from '../engine/model/state.ts'
import { chainDigest, digestLink, type DigestLink } from './chain-digest.ts'

export type DigestChain = {
  /** Takes what an event decided; hashes nothing yet. */
  readonly add: (audit: Audit, state: EngineState | null) => void
  /** The digest of all that was taken so far. */
  readonly value: () => string
}

/** The chain of decision digests of a running position: links are taken at once and hashed when there is time. */
export function createDigestChain(from: string): DigestChain {
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
