import { decodeJson, encodeJson } from '../../../base/codec.ts'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { Hex } from '../../../core/rfq/rfq-order.ts'
import type { RfqSettings } from '../../../core/rfq/rfq-settings.ts'
import type { SharedLimits, SignedRecord } from '../../../custody/signing/policy/policy-state.ts'
import { policyOwnerText } from '../../../custody/signing/policy/policy-store.ts'
import type { SharedMemory } from '../../../custody/signing/policy/shared-memory.ts'
import { openSignerRows } from '../../../store/postgres/signer-rows.ts'

/** The state that a position's signers share in PostgreSQL, and the settings of operators there. */
export type SharedSigning = SharedMemory & {
  readonly pinSolver: (solver: Hex) => Promise<Result<null, string>>
  readonly setStopAt: (stopAt: Ms | null) => Promise<Result<null, string>>
  readonly close: () => Promise<void>
}

/**
 * Null = the store is a folder, so no other machine signs for the position. `fence`: the lease number under which this process
 * holds the position; a command has none, and signs no orders.
 */
export function openSharedSigning(
  { store }: Pick<LoadedConfig, 'store'>,
  settings: RfqSettings,
  fence: () => number,
): SharedSigning | null {
  if (typeof store.place === 'string') return null
  const { maker, chainId, exchange } = settings
  const rows = openSignerRows(store.place, policyOwnerText({ wallet: maker, chainId, exchange }))
  return {
    async read() {
      const row = await rows.read()
      return row.ok ? ok(row.value as SharedLimits) : row
    },
    offer: rows.offer,
    async records() {
      const texts = await rows.signed()
      if (!texts.ok) return texts
      try {
        return ok(texts.value.map((text) => decodeJson(text) as SignedRecord))
      } catch (error) {
        return err(`the orders that other machines have signed cannot be read (${errorText(error)})`)
      }
    },
    keep: (records, forgotten) =>
      rows.keepSigned(
        records.map((record) => ({ salt: record.order.salt, record: encodeJson(record) })),
        forgotten,
        fence(),
      ),
    pinSolver: (solver) => rows.pinSolver(solver.toLowerCase()),
    setStopAt: rows.setStopAt,
    close: rows.close,
  }
}
