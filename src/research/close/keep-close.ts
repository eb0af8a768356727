import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { err, errorText, ok, type Result } from '../../base/result.ts'
import type { CloseBody, CloseDocument } from './document/document.ts'
import { differingParts } from './document/same-day.ts'
import { LOCK, sha256, SUFFIX } from './folder/names.ts'
import { type PlaceOfDay, placeOfDay } from './place-of-day.ts'
import { readCloseFolder } from './folder/read-folder.ts'
import { renderDay, writeDay } from './folder/write-day.ts'
import type { Signer } from './proof/signature.ts'
import { requestTimestamp } from './proof/timestamp.ts'
import { openVerifier } from './proof/verifier.ts'
import { withFileLock } from '../../base/lock/file-lock.ts'

export type ClosedDay = {
  readonly document: CloseDocument
  readonly sha256: string
  readonly isSigned: boolean
  /** Null = the close has a time-stamp, or no authority is configured. */
  readonly timestampProblem: string | null
  /** False if the day was already closed; its close is not changed. */
  readonly isNew: boolean
  /** Fills of the day that a later close took back, each with the ledger entry that did so. */
  readonly takenBack: readonly { readonly fillId: string; readonly number: number }[]
}

type Keeping = {
  readonly out: string
  readonly signer: Signer | null
  /** The address of a time-stamping authority; null = not configured. */
  readonly timestamp: string | null
}

/** Returns the place of a day in the folder; the error explains why it cannot be closed there. */
export function placeIn(out: string, position: string, day: string): Result<PlaceOfDay, string> {
  const folder = readCloseFolder(out)
  return folder.ok ? placeOfDay(folder.value, position, day, openVerifier(null, null)) : folder
}

/**
 * Writes a day that was read to follow `previous`, or adds what an existing close lacks: a signature, a time-stamp.
 * Locks the folder meanwhile, and removes the leftovers of a killed close.
 */
export async function keepClose(
  body: CloseBody,
  previous: PlaceOfDay['previous'],
  keeping: Keeping,
): Promise<Result<ClosedDay, string>> {
  const { out } = keeping
  try {
    mkdirSync(out, { recursive: true })
  } catch (error) {
    return err(`${out} cannot be made (${errorText(error)}): name a folder that you may write`)
  }
  const written = await withFileLock(join(out, LOCK), () => {
    const folder = readCloseFolder(out)
    for (const name of folder.ok ? folder.value.leftOvers : []) rmSync(join(out, name), { force: true })
    // Another close may have been written since the day was read.
    const place = placeIn(out, body.position, body.day)
    if (!place.ok) return Promise.resolve(place)
    if (place.value.previous?.sha256 === previous?.sha256) return keepInPlace(body, place.value, keeping)
    return Promise.resolve(err(`another close wrote into ${out} meanwhile: run the command again`))
  })
  return written.ok ? written.value : written
}

async function keepInPlace(
  body: CloseBody,
  place: PlaceOfDay,
  { out, signer, timestamp }: Keeping,
): Promise<Result<ClosedDay, string>> {
  const { day } = body
  const stays = closeThatStays(body, place)
  if (!stays.ok) return stays
  const kept = stays.value
  const rendered = kept === null ? renderDay(body) : null
  const document = rendered?.document ?? kept?.close.document ?? null
  const bytes = rendered?.bytes ?? kept?.files.get(`${day}${SUFFIX.document}`)
  if (document === null || bytes === undefined) return err(`the close of ${day} is not complete`)
  const files = new Map(rendered === null ? kept?.files : rendered.files)
  files.delete(`${day}${SUFFIX.sums}`)
  files.set(`${day}${SUFFIX.document}`, bytes)
  const before = files.size
  if (signer !== null && !files.has(`${day}${SUFFIX.signature}`)) {
    const signed = signer(bytes)
    if (!signed.ok) return signed
    files.set(`${day}${SUFFIX.signature}`, Buffer.from(signed.value))
  }
  const timestampProblem = await stamp(timestamp, files, day, bytes)
  const isNew = kept?.isWhole !== true || files.size > before
  const written = isNew ? writeDay(out, day, files, body.position, place.days) : ok(undefined)
  if (!written.ok) return written
  const isSigned = files.has(`${day}${SUFFIX.signature}`)
  const takenBack = (body.undoneLater ?? []).map(({ fillId, number }) => ({ fillId, number }))
  return ok({ document, sha256: sha256(bytes), isSigned, timestampProblem, isNew, takenBack })
}

/** Returns the existing close that stays; null = write it. Errors for a final close that the store contradicts. */
function closeThatStays(body: CloseBody, { existing }: PlaceOfDay): Result<PlaceOfDay['existing'], string> {
  if (existing === null) return ok(null)
  const { document } = existing.close
  const differing = differingParts(document, body)
  if (document.status === 'provisional')
    return ok(body.status === 'provisional' && differing.length === 0 ? existing : null)
  if (differing.length === 0) return ok(existing)
  return err(
    `${body.day} is already closed, but the store now differs (${differing.join(', ')}): a close is never edited; what was wrong is corrected by a new entry of the ledger, in the close of the day on which it is booked`,
  )
}

/** Adds a configured but missing time-stamp; returns why it could not. */
async function stamp(
  authority: string | null,
  files: Map<string, Buffer>,
  day: string,
  bytes: Buffer,
): Promise<string | null> {
  const name = `${day}${SUFFIX.timestamp}`
  if (authority === null || files.has(name)) return null
  const answer = await requestTimestamp(authority, bytes)
  if (!answer.ok) return answer.error
  files.set(name, answer.value)
  return null
}
