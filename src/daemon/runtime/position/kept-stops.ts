import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { decodeJson, encodeJson } from '../../../base/codec.ts'
import { errorText } from '../../../base/result.ts'
import { isStop, type StopCommand } from '../../../core/engine/operator/stops.ts'
import { replaceFile } from '../../../base/files/replace-file.ts'

/** A stop that the position has not processed yet. */
export type KeptStop = { readonly command: StopCommand; readonly who: string; readonly why: string }

/** A stop on disk. */
type StoredStop = KeptStop & { readonly file: string }

const NAME = /^kept-stop-[A-Za-z]+-[0-9a-f]{12}\.json$/

/** Saves a stop in the store's folder until the position has journalled it. Resolves with null, or with why it could not be saved. */
export async function keepStop(store: string, stop: KeptStop): Promise<string | null> {
  // One file per command: an equal later stop replaces it.
  const hash = createHash('sha256').update(encodeJson(stop.command)).digest('hex').slice(0, 12)
  try {
    mkdirSync(store, { recursive: true, mode: 0o700 })
    await replaceFile(join(store, `kept-stop-${stop.command.name}-${hash}.json`), encodeJson(stop))
    return null
  } catch (error) {
    return errorText(error)
  }
}

/** Returns the stops saved for a position. */
export function readKeptStops(store: string): readonly StoredStop[] {
  try {
    const names = readdirSync(store).filter((name) => NAME.test(name))
    return names.map((name) => readStopFile(join(store, name)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    return [
      unreadable(join(store, 'kept-stops'), `the stops kept in ${store} cannot be read: ${errorText(error)}`),
    ]
  }
}

/** Reads a stop. An unreadable file counts as a halt. */
function readStopFile(file: string): StoredStop {
  try {
    const stop = decodeJson(readFileSync(file, 'utf8')) as KeptStop
    if (isStop(stop.command)) return { ...stop, file }
  } catch {
    // Return the halt below.
  }
  return unreadable(file, `a stop that was kept in ${file} cannot be read`)
}

/** Returns the stops that the journal alone puts in force. `stopSigning` also needs the daemon, which writes the signer's file. */
export function stopsOfJournal(stops: readonly StoredStop[]): readonly StoredStop[] {
  return stops.filter(({ command }) => command.name !== 'stopSigning')
}

/** Removes stops that are journalled or lifted. A stop that cannot be removed applies again at the next start. */
export function dropKeptStops(stops: readonly StoredStop[]): void {
  for (const { file } of stops) {
    try {
      rmSync(file, { force: true })
    } catch {
      // A failed removal must not end a running position.
    }
  }
}
