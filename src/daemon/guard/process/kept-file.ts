import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import { emptyRecord, type GuardRecord } from '../position/record.ts'
import { replaceFileSync } from '../../../base/files/replace-file.ts'
import { parsePositions } from '../positions-file.ts'

/** The records of all positions of a guard, in one file that is replaced atomically. */
export type GuardFile = {
  readonly of: (name: string) => GuardRecord
  /** Writes changed records; returns once they are on disk. The error is a sentence. */
  readonly save: () => Result<null, string>
}

const VERSION = 1

/** Opens the file in a folder, which is created if missing. An unreadable file refuses the start: lease numbers must never decrease. */
export function openKeptFile(folder: string): Result<GuardFile, string> {
  const file = join(folder, 'guard.json')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    return err(`${folder}: the guard cannot keep its numbers there: ${errorText(error)}`)
  }
  const read = readRecords(file)
  if (!read.ok) return read
  const records = read.value
  return ok({
    of(name) {
      const known = records.get(name) ?? emptyRecord()
      records.set(name, known)
      return known
    },
    save() {
      try {
        replaceFileSync(file, JSON.stringify({ version: VERSION, positions: Object.fromEntries(records) }))
        return ok(null)
      } catch (error) {
        return err(`${file}: cannot be written: ${errorText(error)}`)
      }
    },
  })
}

function readRecords(file: string): Result<Map<string, GuardRecord>, string> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as { readonly code?: string }).code === 'ENOENT') return ok(new Map())
    return err(`${file}: cannot be read: ${errorText(error)}`)
  }
  const records = parse(text)
  if (records !== null) return ok(records)
  return err(`${file}: is not a file of a guard, or is damaged; stop the daemons it watches, then remove it`)
}

const { worse, isOut, isReleased, written } = emptyRecord()
const ADDED_LATER = { worse, isOut, isReleased, written }

function parse(text: string): Map<string, GuardRecord> | null {
  const positions = parsePositions(text, VERSION)
  if (positions === null) return null
  // Defaults for fields that an earlier version did not save.
  const entries = [...positions].map(
    ([name, one]) => [name, isObject(one) ? { ...ADDED_LATER, ...one } : one] as const,
  )
  if (!entries.every(([, one]) => isRecord(one))) return null
  return new Map(entries as [string, GuardRecord][])
}

function isRecord(value: unknown): value is GuardRecord {
  if (!isObject(value)) return false
  const { fence, holder, firings, latched, guardingSince, worse, isOut, isReleased, written } = value
  return (
    Number.isSafeInteger(fence) &&
    (fence as number) >= 0 &&
    (holder === null || typeof holder === 'string') &&
    Array.isArray(firings) &&
    firings.every(Number.isFinite) &&
    (latched === null || typeof latched === 'string') &&
    (guardingSince === null || Number.isFinite(guardingSince)) &&
    (worse === null || worse === 'bid' || worse === 'ask') &&
    [isOut, isReleased].every((one) => typeof one === 'boolean') &&
    Array.isArray(written) &&
    written.every(isWritten)
  )
}

function isWritten(value: unknown): boolean {
  if (!isObject(value)) return false
  const { at, what } = value
  return Number.isFinite(at) && ['safe', 'bid-off', 'ask-off', 'deactivation'].includes(what as string)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
