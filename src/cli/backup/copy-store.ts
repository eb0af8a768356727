import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { readStoreOrigin } from '../../daemon/runtime/treasury/store-origin.ts'
import { copyStore } from '../../store/copy/copy-store.ts'
import { parsePlace, placeText, type StorePlace } from '../../store/place.ts'
import { floatText } from '../../base/text/numbers.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { fail, type OutputFormat, print } from '../output/print.ts'
import { tapeMeter } from '../output/progress.ts'

type CopyStoreOptions = OutputFormat & { readonly config: string; readonly from?: string }

/** Copies a position with its journal to the configured store, and compares the two. */
export async function copyStoreCommand(options: CopyStoreOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options, { offline: true })
  if (config === null) return
  const { place: to, path } = config.store
  const from = sourceOf(config, options.from)
  if (!from.ok) return fail(options, EXIT_CODE.usage, from.error)
  let all = 0
  const meter = tapeMeter(() => all)
  const copied = await copyStore(from.value, to, {
    onRows(rows, total) {
      all = total
      meter.add(rows)
    },
  })
  meter.end()
  if (!copied.ok) return fail(options, EXIT_CODE.failed, copied.error.message, { kind: copied.error.kind })
  // The treasury's journal is complete in both, so this is not a restored backup that an operator must confirm.
  const isOriginal = !readStoreOrigin({ path, place: from.value }, true).isRestored
  if (isOriginal) await readStoreOrigin({ path, place: to }, true).adopt()
  const { lastSeq, tables } = copied.value
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  const [source, target] = [placeText(from.value), placeText(to)]
  print(
    options,
    `${config.core.name}: ${floatText(rows, 0)} rows up to event ${lastSeq} copied from ${source} to ${target}, and compared. Start a daemon on the copy only`,
    { position: config.core.name, from: source, to: target, lastSeq, tables },
  )
}

/** Returns the former store: the folder of a position that is now in PostgreSQL, or the named one. */
function sourceOf({ store }: LoadedConfig, named: string | undefined): Result<StorePlace, string> {
  if (named === undefined) {
    if (typeof store.place !== 'string') return ok(store.path)
    return err('give the source of the position: --from postgres://HOST/DATABASE?position=NAME')
  }
  const place = parsePlace(named)
  if (!place.ok) return place
  if (typeof place.value !== 'string' || place.value === store.path) return place
  return err(
    `${named} is not the folder of this configuration: keep store.path as it was, because tokens and the signer's file stay there; \`mizani backup\` and \`mizani restore\` copy one folder to another`,
  )
}
