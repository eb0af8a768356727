import { once } from 'node:events'
import { open, rename, rm } from 'node:fs/promises'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { Result } from '../../base/result.ts'
import type { ExportKind } from '../../store/export/export-table.ts'
import { exportRows, type ExportFormat } from '../../store/export/export-rows.ts'
import { openReader, type StoreReader } from '../../store/open-reader.ts'
import type { StoreFailure } from '../../store/failure.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { isNotRegularFile } from '../output/write-file.ts'
import { fail, exitWhenPipeCloses, print, type OutputFormat } from '../output/print.ts'
import { loadOrExplain } from '../load-or-explain.ts'

export type ExportOptions = OutputFormat & {
  readonly what: ExportKind
  readonly format: ExportFormat
  readonly config: string
  readonly out?: string
}

/** The books as rows, to stdout or to a file that is either whole or not there. */
export async function exportBooks(options: ExportOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options)
  if (config === null) return
  const reader = openReader(config.store.path)
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
  // Rows are on stdout already: what went wrong belongs beside them, not among them.
  if (!rows.ok) fail({ json: false }, EXIT_CODE.failed, rows.error.message)
}

async function toFile(
  reader: StoreReader,
  options: ExportOptions,
  out: string,
  config: LoadedConfig,
): Promise<void> {
  const written = await writeWhole(reader, options, out)
  if (typeof written === 'string') return fail(options, EXIT_CODE.failed, written)
  if (!written.ok) return fail(options, EXIT_CODE.failed, written.error.message, { kind: written.error.kind })
  const rows = written.value
  const { what, format } = options
  print(options, `${rows} rows of ${what} written to ${out}`, {
    position: config.core.name,
    what,
    format,
    out,
    rows,
  })
}

/** A text is why the file could not be written. */
async function writeWhole(
  reader: StoreReader,
  { what, format }: ExportOptions,
  out: string,
): Promise<Result<number, StoreFailure> | string> {
  if (await isNotRegularFile(out))
    return `${out} is there and is no file; give --out the path of a file, or leave it away for stdout`
  const unfinished = `${out}.${process.pid}.part`
  try {
    const file = await open(unfinished, 'wx')
    try {
      const rows = await exportRows(reader, what, format, async (text) => {
        await file.writeFile(text)
      })
      if (!rows.ok) return rows
      await file.sync()
      await rename(unfinished, out)
      return rows
    } finally {
      await file.close()
      await rm(unfinished, { force: true })
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return `${out} cannot be written (${code ?? message}); give --out a path in a folder that exists and has room`
  }
}
