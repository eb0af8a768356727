import { ok, type Result } from '../../../base/result.ts'
import type { SharedLimits, SignedRecord } from './policy-state.ts'
import type { PolicyStore } from './policy-store.ts'

/**
 * Memory that the signers of one position on several machines share. Each machine has its own file too, and the stricter of
 * the two applies. An error is a sentence; then nothing is signed.
 */
export type SharedMemory = {
  readonly read: () => Promise<Result<SharedLimits, string>>
  /** Leaves what the file of this machine has where the position has nothing yet; a stop that was lifted stays lifted. */
  readonly offer: (own: SharedLimits) => Promise<Result<null, string>>
  /** Signatures of other machines that still count. */
  readonly records: () => Promise<Result<readonly SignedRecord[], string>>
  /** Fails if another machine holds the position. Signatures after this call count for every later signer. */
  readonly keep: (
    records: readonly SignedRecord[],
    forgotten: readonly bigint[],
  ) => Promise<Result<null, string>>
}

/** Access of one machine to the shared memory. */
export type Sharing = Pick<SharedMemory, 'keep'> & {
  /**
   * Reads what operators have set, each time, and what other machines have signed, when this one begins. Gives why that is not
   * known; null = it is.
   */
  readonly learn: () => Promise<string | null>
}

/** `shared` is absent where no other machine signs for the position: then its file is all there is. */
export function shareThrough(shared: SharedMemory | undefined, store: PolicyStore): Sharing {
  if (shared === undefined)
    return { learn: () => Promise.resolve(null), keep: () => Promise.resolve(ok(null)) }
  const { state } = store
  let hasBegun = false

  async function begin(memory: SharedMemory): Promise<Result<unknown, string>> {
    const { solver, stopAt } = state
    // A machine without its own settings must not overwrite the shared ones with nulls.
    const isSet = solver !== null || stopAt !== null
    const offered = isSet ? await memory.offer({ solver, stopAt }) : ok(null)
    const records = offered.ok ? await memory.records() : offered
    if (!records.ok) return records
    store.put(records.value.filter(({ order }) => !state.signed.has(order.salt.toString())))
    hasBegun = true
    return records
  }

  return {
    async learn() {
      const begun = hasBegun ? ok(null) : await begin(shared)
      if (!begun.ok) return begun.error
      const read = await shared.read()
      if (!read.ok) return read.error
      state.shared = read.value
      return null
    },
    keep: shared.keep,
  }
}
