import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { dayBefore, daySpan, zonedDayText } from './document/day-span.ts'
import type { CloseBody, CloseEvidence } from './document/document.ts'
import { type DayRequest, readDay } from './document/read-day.ts'
import { closedTreasuryDay } from './document/treasury-day.ts'
import type { PlaceOfDay } from './place-of-day.ts'
import type { Signer } from './proof/signature.ts'
import { checkState } from './verify/check-chain.ts'
import { checkDocument } from './verify/check-document.ts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import { isHeldNow } from '../../store/held-now.ts'
import { openReader, type StoreReader } from '../../store/open-reader.ts'
import { readActionChain } from '../../store/tables/operator-actions.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { version } from '../../base/text/version.ts'
import { type ClosedDay, keepClose, placeIn } from './keep-close.ts'

type NotClosed = { readonly exitCode: number; readonly why: string }

/** The parts of a configuration that a close needs. */
export type CloseConfig = Pick<LoadedConfig, 'close' | 'store'> & { readonly core: { readonly name: string } }

type Closing = {
  /** A calendar day, `today` or `yesterday`. */
  readonly day: string
  readonly out: string
  readonly signer: Signer | null
  readonly evidence: CloseEvidence
  /** All positions that are closed together for this day; null = only this one. */
  readonly fleet: readonly string[] | null
}

/** Returns the day that a command names, in the position's time zone. */
export function dayNamed(
  named: string,
  { close: { timezone } }: Pick<CloseConfig, 'close'>,
  now: Ms,
): string {
  const today = zonedDayText(now, timezone)
  return named === 'today' ? today : named === 'yesterday' ? dayBefore(today) : named
}

/** Closes a day of a position into a folder. Throws StoreReadError. */
export async function closePosition(
  config: CloseConfig,
  { day: named, out, signer, evidence, fleet }: Closing,
  now: Ms = Date.now(),
): Promise<Result<ClosedDay, NotClosed>> {
  const day = dayNamed(named, config, now)
  const { name } = config.core
  const place = placeIn(out, name, day)
  if (!place.ok) return notClosed(place.error)
  const reader = openReader(config.store.place)
  if (!reader.ok) return notClosed(reader.error.message)
  try {
    const read = await readBody(reader.value, config, { day, place: place.value, evidence, fleet }, now)
    if (!read.ok) return notClosed(read.error)
    const keeping = { out, signer, timestamp: config.close.timestamp }
    const kept = await keepClose(read.value, place.value.previous, keeping)
    return kept.ok ? kept : notClosed(kept.error)
  } finally {
    reader.value.close()
  }
}

/** Reads the day from the store once it adds up and continues the previous close. */
async function readBody(
  reader: StoreReader,
  config: CloseConfig,
  {
    day,
    place: { previous },
    ...made
  }: Pick<Closing, 'day' | 'evidence' | 'fleet'> & { readonly place: PlaceOfDay },
  now: Ms,
): Promise<Result<CloseBody, string>> {
  const { path, place } = config.store
  const { timezone } = config.close
  const span = daySpan(day, timezone)
  if (span === null) return err(`${day} is not a calendar day; expected a day such as 2026-11-22`)
  const lastSeq = reader.lastSeq()
  const isReached = lastSeq > reader.lastSeqBefore(span.to)
  if (now < span.from && !isReached) return err(`${day} has not begun in ${timezone}`)
  if (reader.lastSeqBefore(span.to) === 0)
    return err(`the store ${path} has no data for ${day}: the position began later, or never ran`)
  if (previous !== null && lastSeq < previous.document.journal.last)
    return err(
      `the store ${path} is older than the close of ${previous.document.day}: it ends with event ${lastSeq}, the close with event ${previous.document.journal.last}; restore the newer store`,
    )
  const held = isReached || now < span.to ? ok(true) : await isHeldNow(place)
  if (!held.ok) return err(held.error.message)
  const actions = readActionChain(place)
  if (!actions.ok) return err(actions.error.message)
  const [broken] = actions.value.problems
  if (broken !== undefined) return err(`the chain of operators' actions is broken: ${broken}`)
  const request: DayRequest = {
    position: config.core.name,
    day,
    timezone,
    span,
    isOver: isReached || (now >= span.to && !held.value),
    previous,
    closedAt: now,
    software: version,
    ...made,
    actions: actions.value,
    treasury: closedTreasuryDay(reader, path, span, previous?.document.treasury ?? null),
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

function notClosed(why: string): Result<never, NotClosed> {
  return err({ exitCode: EXIT_CODE.failed, why })
}
