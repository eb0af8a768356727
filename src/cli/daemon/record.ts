import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import type { Changes } from '../../daemon/config/load/changes.ts'
import { isFileError } from '../../store/tape/model/problems.ts'
import { measureTape } from '../../store/tape/summary/summary.ts'
import { openTapeWriter } from '../../store/tape/writer/writer.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { problemLines } from '../tape/inspect.ts'
import { fail, writeNote } from '../output/print.ts'
import { servePositions } from './serve-positions.ts'
import { floatText } from '../../base/text/numbers.ts'

type RecordOptions = { readonly config: string; readonly out?: string }

const VOICE = { json: false }
const DEFAULT_FOLDER = './tape'

/** Records the venue's market data to a tape, without trading, until a signal ends it. */
export async function record(options: RecordOptions): Promise<void> {
  const asWritten = await loadOrExplain(options.config, VOICE)
  if (asWritten === null) return
  const folder = options.out ?? asWritten.record.path ?? DEFAULT_FOLDER
  const tape = join(folder, asWritten.core.name)
  const config = await loadOrExplain(options.config, VOICE, {
    changes: recordingOnly(folder, tape),
    strategy: 'load-apart',
  })
  if (config === null) return
  const obstacle = await obstacleTo(tape, config)
  if (obstacle !== null) return fail(VOICE, EXIT_CODE.failed, obstacle)
  await servePositions([config], {
    onLeft: () => [onTape(tape)],
  })
}

function onTape(tape: string): string {
  const { rows, isCounted } = measureTape(tape)
  return `${isCounted ? '' : 'about '}${floatText(rows, 0)} rows on the tape in ${tape}`
}

/** Returns a dry run with its own store, so that other processes with this configuration are not disturbed. */
function recordingOnly(folder: string, tape: string): Changes {
  return {
    mode: 'dry-run',
    activation: 'manual',
    'record.path': folder,
    'store.path': join(tape, '.store'),
    'http.port': 0,
  }
}

/** The daemon continues without a tape, but here the tape is the only purpose, so it is tested first. */
async function obstacleTo(tape: string, { record }: LoadedConfig): Promise<string | null> {
  try {
    mkdirSync(tape, { recursive: true })
  } catch (error) {
    if (!isFileError(error)) throw error
    return `${tape} cannot be made: ${error.message}`
  }
  const writer = await openTapeWriter(tape, record)
  if (!writer.ok) return writer.error
  for (const line of problemLines(writer.value.recovered)) writeNote(line)
  await writer.value.close()
  return null
}
