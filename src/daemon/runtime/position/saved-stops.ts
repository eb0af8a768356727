import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { decodeJson, encodeJson } from '../../../base/codec.ts'
import { errorCode, errorText } from '../../../base/result.ts'
import { isStop } from '../../console/commands/operator-commands.ts'
import type { StopCommand } from '../../../core/engine/model/event.ts'
import { replaceFile } from '../../../base/files/replace-file.ts'

/** A stop that a position has not processed yet. */
export type SavedStop = { readonly command: StopCommand; readonly who: string; readonly why: string }

/** A stop on disk. */
type StoredStop = SavedStop & { readonly file: string }

const NAME = /^kept-stop-[A-Za-z]+-[0-9a-f]{12}\.json$/

/** Saves a stop in the folder of a store until the position that starts there journals it. Returns null, or why it cannot be saved. */
export async function saveStop(store: string, stop: SavedStop): Promise<string | null> {
  // Each command once: a later one replaces an equal one.
  const hash = createHash('sha256').update(encodeJson(stop.command)).digest('hex').slice(0, 12)
  try {
    mkdirSync(store, { recursive: true, mode: 0o700 })
    await replaceFile(join(store, `kept-stop-${stop.command.name}-${hash}.json`), encodeJson(stop))
    return null
  } catch (error) {
    return errorText(error)
  }
}

/** Returns the stops that are kept for a position. A folder that exists and cannot be read counts as a halt. */
export function readSavedStops(store: string): readonly StoredStop[] {
  try {
    const names = readdirSync(store).filter((name) => NAME.test(name))
    return names.flatMap((name) => readStopFile(join(store, name)) ?? [])
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    return [
      unreadable(join(store, 'kept-stops'), `the stops kept in ${store} cannot be read: ${errorText(error)}`),
    ]
  }
}

function unreadable(file: string, why: string): StoredStop {
  return { file, command: { name: 'halt' }, who: 'mizani', why }
}

/** Reads a stop; null = it was removed meanwhile. A file that cannot be read counts as a halt. */
function readStopFile(file: string): StoredStop | null {
  try {
    const stop = decodeJson(readFileSync(file, 'utf8')) as SavedStop
    if (isStop(stop.command)) return { ...stop, file }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    // Every other error halts.
  }
  return unreadable(file, `a stop that was kept in ${file} cannot be read`)
}

/** Returns the stops that journalling alone puts in force. A signer stop waits for the daemon, which writes the signer's file. */
export function stopsOfJournal(stops: readonly StoredStop[]): readonly StoredStop[] {
  return stops.filter(({ command }) => command.name !== 'stopSigning')
}

/** Removes stops that are journalled or lifted. One that cannot be removed stops again at the next start. */
export function removeSavedStops(stops: readonly StoredStop[]): void {
  for (const { file } of stops) {
    try {
      rmSync(file, { force: true })
    } catch {
      // A failure here must not end the running position.
    }
  }
}
