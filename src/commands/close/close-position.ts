import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { canonicalJson } from '../../close/document/canonical.ts'
import { dayBefore, daySpan, dayText } from '../../close/document/day-span.ts'
import type { CloseBody, CloseDocument, CloseEvidence } from '../../close/document/document.ts'
import { type DayRequest, readDay } from '../../close/document/read-day.ts'
import { treasuryDay } from '../../close/document/treasury-day.ts'
import { sha256, SUFFIX } from '../../close/folder/names.ts'
import { type PlaceOfDay, placeOfDay } from '../../close/folder/place-of-day.ts'
import { readFolder } from '../../close/folder/read-folder.ts'
import { renderDay, writeDay } from '../../close/folder/write-day.ts'
import { requestTimestamp } from '../../close/timestamp/request-timestamp.ts'
import { checkState } from '../../close/verify/check-chain.ts'
import { checkDocument } from '../../close/verify/check-document.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { openReader, type StoreReader } from '../../store/open-reader.ts'
import { readLockState } from '../../store/store-lock.ts'
import { readActionChain } from '../../store/tables/operator-actions.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { version } from '../version.ts'
import type { Signer } from './signer.ts'

export type ClosedDay = {
  readonly document: CloseDocument
  readonly sha256: string
  readonly isSigned: boolean
  /** Null = it has a time-stamp, or none is configured. */
  readonly timestampProblem: string | null
  /** Whether anything was written: a day that is closed already stays as it is. */
  readonly isNew: boolean
}

export type NotClosed = { readonly exitCode: number; readonly why: string }

/** What a close takes from a configuration. */
export type CloseConfig = Pick<LoadedConfig, 'close' | 'store'> & { readonly core: { readonly name: string } }

export type Closing = {
  /** A day of the calendar, `today` or `yesterday`. */
  readonly day: string
  readonly out: string
  readonly signer: Signer | null
  readonly evidence: CloseEvidence
}

/** Closes a day of a position into a folder. Throws StoreReadError. */
export async function closePosition(
  config: CloseConfig,
  { day: named, out, signer, evidence }: Closing,
  now: Ms = Date.now(),
): Promise<Result<ClosedDay, NotClosed>> {
  const { timezone } = config.close
  const today = dayText(now, timezone)
  const day = named === 'today' ? today : named === 'yesterday' ? dayBefore(today) : named
  const folder = readFolder(out)
  if (!folder.ok) return notClosed(folder.error)
  const place = placeOfDay(folder.value, config.core.name, day)
  if (!place.ok) return notClosed(place.error)
  const reader = openReader(config.store.place)
  if (!reader.ok) return notClosed(reader.error.message)
  try {
    const read = readBody(reader.value, config, { day, place: place.value, evidence }, now)
    if (!read.ok) return notClosed(read.error)
    return await keep(read.value, { config, place: place.value, out, signer })
  } finally {
    reader.value.close()
  }
}

/** The day as the store has it, once it adds up and continues the close before it. */
function readBody(
  reader: StoreReader,
  config: CloseConfig,
  {
    day,
    place: { previous },
    evidence,
  }: { readonly day: string; readonly place: PlaceOfDay; readonly evidence: CloseEvidence },
  now: Ms,
): Result<CloseBody, string> {
  const { path, place } = config.store
  const { timezone } = config.close
  const span = daySpan(day, timezone)
  if (span === null) return err(`${day} is no day of the calendar; 2026-11-22 would be right`)
  const lastSeq = reader.lastSeq()
  const isReached = lastSeq > reader.lastSeqBefore(span.to)
  if (now < span.from && !isReached) return err(`${day} has not begun in ${timezone}`)
  if (reader.lastSeqBefore(span.to) === 0)
    return err(`the store ${path} has nothing of ${day}: the position began later, or never ran`)
  if (previous !== null && lastSeq < previous.document.journal.last)
    return err(
      `the store ${path} is older than the close of ${previous.document.day}: it ends with event ${lastSeq}, the close with event ${previous.document.journal.last}; restore the newer store`,
    )
  const lock = readLockState(path)
  if (!lock.ok) return err(lock.error.message)
  const actions = readActionChain(place)
  if (!actions.ok) return err(actions.error.message)
  const [broken] = actions.value.problems
  if (broken !== undefined) return err(`the chain of operators' actions is broken: ${broken}`)
  const request: DayRequest = {
    position: config.core.name,
    day,
    timezone,
    span,
    // A daemon on another machine may hold a store in PostgreSQL: there only an event after the day ends it.
    isOver: isReached || (now >= span.to && !lock.value.held && typeof place === 'string'),
    previous,
    closedAt: now,
    software: version,
    evidence,
    actions: actions.value,
    treasury: treasuryDay(reader, path, span, previous?.document.treasury ?? null),
  }
  const body = readDay(reader, request)
  const problems = [
    ...(previous === null ? [] : checkState(previous.document, body)),
    ...checkDocument({ ...body, files: [] }),
  ]
  if (problems.length === 0) return ok(body)
  return err(
    `the store ${path} does not continue the closes of ${config.core.name}; nothing is written:\n${problems.join('\n')}`,
  )
}

type Keeping = {
  readonly config: CloseConfig
  readonly place: PlaceOfDay
  readonly out: string
  readonly signer: Signer | null
}

/** Writes the close, or adds to the same one that is there what it lacks: a signature, a time-stamp. */
async function keep(
  body: CloseBody,
  { config, place, out, signer }: Keeping,
): Promise<Result<ClosedDay, NotClosed>> {
  const { existing, days } = place
  const isSame = existing !== null && sameDay(existing.close.document, body)
  if (existing?.close.document.status === 'final' && !isSame)
    return notClosed(
      `${body.day} is closed already, and the store has it otherwise now (${differences(existing.close.document, body)}): a close is never edited; what was wrong is corrected by a new entry of the ledger, in the close of the day on which it is booked`,
    )
  const kept = isSame && existing.close.document.status === body.status ? existing : null
  const rendered = kept === null ? renderDay(body) : null
  const { day } = body
  const document = rendered?.document ?? existing?.close.document ?? null
  const bytes = rendered?.bytes ?? existing?.files.get(`${day}${SUFFIX.document}`)
  if (document === null || bytes === undefined) return notClosed(`the close of ${day} is not complete`)
  const files = new Map(rendered === null ? kept?.files : rendered.files)
  files.delete(`${day}${SUFFIX.sums}`)
  files.set(`${day}${SUFFIX.document}`, bytes)
  const before = files.size
  if (signer !== null && !files.has(`${day}${SUFFIX.signature}`)) {
    const signed = signer(bytes)
    if (!signed.ok) return notClosed(signed.error)
    files.set(`${day}${SUFFIX.signature}`, Buffer.from(signed.value))
  }
  const timestamp = await stamp(config, files, day, bytes)
  const isNew = kept === null || files.size > before
  const written = isNew ? writeDay(out, day, files, body.position, days) : ok(undefined)
  if (!written.ok) return notClosed(written.error)
  return ok({
    document,
    sha256: sha256(bytes),
    isSigned: files.has(`${day}${SUFFIX.signature}`),
    timestampProblem: timestamp,
    isNew,
  })
}

/** Adds the time-stamp where one is configured and is not there; returns why it could not. */
async function stamp(
  { close: { timestamp } }: CloseConfig,
  files: Map<string, Buffer>,
  day: string,
  bytes: Buffer,
): Promise<string | null> {
  const name = `${day}${SUFFIX.timestamp}`
  if (timestamp === null || files.has(name)) return null
  const answer = await requestTimestamp(timestamp, bytes)
  if (!answer.ok) return answer.error
  files.set(name, answer.value)
  return null
}

/** What is of the day, without when, by which version and under which configuration it was read. */
function ofTheDay({
  closedAt: _closed,
  software: _software,
  evidence: _evidence,
  ...day
}: CloseBody): Omit<CloseBody, 'closedAt' | 'software' | 'evidence'> {
  return day
}

function sameDay({ files: _files, ...existing }: CloseDocument, body: CloseBody): boolean {
  return canonicalJson(ofTheDay(existing)) === canonicalJson(ofTheDay(body))
}

function differences({ files: _files, ...existing }: CloseDocument, body: CloseBody): string {
  const now = new Map(Object.entries(ofTheDay(body)))
  const names = Object.entries(ofTheDay(existing)).flatMap(([name, value]) =>
    canonicalJson(value) === canonicalJson(now.get(name)) ? [] : [name],
  )
  return names.join(', ')
}

function notClosed(why: string): Result<never, NotClosed> {
  return err({ exitCode: EXIT_CODE.failed, why })
}
