import { existsSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import type { LoadedConfig } from '../config/loaded-config.ts'
import type { OwedOrder } from '../rfq/open-order.ts'
import { openReader } from '../store/open-reader.ts'
import { storeFiles } from '../store/store-files.ts'
import type { CustodyEnd } from './custody-desk.ts'
import { EXIT_CODE } from './exit-code.ts'
import { storedPosition } from './stored-position.ts'

/** Every order that the store remembers as owed; none where there is no store. Throws StoreReadError. */
export async function owedInStore(config: LoadedConfig): Promise<Result<readonly OwedOrder[], CustodyEnd>> {
  const { path } = config.store
  if (!existsSync(storeFiles(path).database)) return ok([])
  const reader = openReader(path)
  if (!reader.ok) return err({ exitCode: EXIT_CODE.failed, answer: reader.error.message })
  try {
    const stored = await storedPosition(config, reader.value)
    return ok(stored === null ? [] : Object.values(stored.state.rfq.owed))
  } finally {
    reader.value.close()
  }
}
