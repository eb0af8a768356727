import { once } from 'node:events'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import type { ExportKind } from '../../store/export/kinds.ts'
import { exportRows, type ExportFormat } from '../../store/export/export-rows.ts'
import { openReader, type StoreReader } from '../../store/open-reader.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { writeFileAtomically } from '../output/write-file.ts'
import { fail, exitWhenPipeCloses, print, type OutputFormat } from '../output/print.ts'
import { loadOrExplain } from '../load-or-explain.ts'

type ExportOptions = OutputFormat & {
  readonly what: ExportKind
  readonly format: ExportFormat
  readonly config: string
  readonly out?: string
}

/** Exports the books as rows, to stdout or atomically to a file. */
export async function exportBooks(options: ExportOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options, { offline: true })
  if (config === null) return
  const reader = openReader(config.store.place)
  if (!reader.ok) return fail(options, EXIT_CODE.failed, reader.error.message, { kind: reader.error.kind })
  try {
    if (options.out === undefined) await toStdout(reader.value, options)
    else await toFile(reader.value, options, options.out, config)
  } finally {
    reader.value.close()
  }
}

async function toStdout(reader: StoreReader, options: ExportOptions): Promise<void> {
  exitWhenPipeCloses()
  const rows = await exportRows(reader, options.what, options.format, async (text) => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain')
  })
  // Rows are on stdout already, so the error goes to stderr.
  if (!rows.ok) fail({ json: false }, EXIT_CODE.failed, rows.error.message)
}

async function toFile(
  reader: StoreReader,
  options: ExportOptions,
  out: string,
  config: LoadedConfig,
): Promise<void> {
  const { what, format } = options
  const written = await writeFileAtomically(out, (append) => exportRows(reader, what, format, append))
  if (!written.ok) {
    const { error } = written
    if (typeof error === 'string') return fail(options, EXIT_CODE.failed, error)
    return fail(options, EXIT_CODE.failed, error.message, { kind: error.kind })
  }
  const rows = written.value
  print(options, `${rows} rows of ${what} written to ${out}`, {
    position: config.core.name,
    what,
    format,
    out,
    rows,
  })
}
