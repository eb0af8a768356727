import { ok, type Result } from '../../../base/result.ts'
import type { SharedLimits, SignedRecord } from './policy-state.ts'
import type { PolicyStore } from './policy-store.ts'

/**
 * Memory that the signers of one position share across machines. Each machine also has its own file, and the stricter
 * of the two applies. An error is a sentence, and then nothing is signed.
 */
export type SharedMemory = {
  readonly read: () => Promise<Result<SharedLimits, string>>
  /** Copies this machine's settings to the position where it has none yet; a lifted stop stays lifted. */
  readonly offer: (own: SharedLimits) => Promise<Result<null, string>>
  /** Signatures of other machines that still count. */
  readonly records: () => Promise<Result<readonly SignedRecord[], string>>
  /** Fails if another machine holds the position. Every later signer counts signatures made after this call. */
  readonly keep: (
    records: readonly SignedRecord[],
    forgotten: readonly bigint[],
  ) => Promise<Result<null, string>>
}

/** Access of one machine to the shared memory. */
export type Sharing = Pick<SharedMemory, 'keep'> & {
  /**
   * Reads the operators' settings each time, and other machines' signatures once at the beginning. Returns why that
   * failed; null = it succeeded.
   */
  readonly learn: () => Promise<string | null>
}

/** `shared` is absent if no other machine signs for the position; then only its file counts. */
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
