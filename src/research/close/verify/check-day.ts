import type { Ms } from '../../../base/time.ts'
import { type CloseDocument, readClose } from '../document/document.ts'
import { sha256, SUFFIX, sumsText } from '../folder/names.ts'
import { checkSignature, type SignatureReport, type Verifier } from '../proof/verifier.ts'
import { isoText } from '../../../base/text/times.ts'
import { checkAlone, unfilledEntries } from './check-document.ts'
import type { KeptClose } from './check-chain.ts'
import type { Unfilled } from './corrections.ts'

/** The files of a day by their names. */
export type DayFiles = ReadonlyMap<string, Buffer>

export type DayReport = SignatureReport & {
  readonly day: string
  /** Null = it does not parse. */
  readonly close: KeptClose | null
  /** When an authority saw the close, by its answer; null = not time-stamped. */
  readonly timestampAt: string | null
  /** A trusted authority's certificates verify the time-stamp. */
  readonly isTimestampVerified: boolean
  /** Entries without their fill: also errors, unless a later close took the fill back. */
  readonly unfilled: readonly Unfilled[]
}

/** Verifies one day: every byte of its files, all derived figures, and the signature. */
export function checkDay(day: string, files: DayFiles, verifier: Verifier): DayReport {
  const name = `${day}${SUFFIX.document}`
  const bytes = files.get(name)
  const sums = checkSums(day, files)
  const unsigned = { signedBy: null, signer: null, timestampAt: null, isTimestampVerified: false }
  const nothing = { day, close: null, ...unsigned, unfilled: [] }
  if (bytes === undefined) return { ...nothing, problems: [...sums, `${name} is missing`] }
  const read = readClose(bytes)
  if (!read.ok) return { ...nothing, problems: [...sums, read.error] }
  const document = read.value
  const timestamp = checkTimestamp(files, name, verifier)
  // The signer wrote the close's own time, but cannot choose what an authority saw. Anyone can make a time-stamp that
  // no trusted certificate verifies.
  const seenAt = verifier.hasAuthority ? timestamp.at : null
  const signedAt = seenAt ?? Date.parse(document.closedAt)
  const { problems, ...signature } = checkSignature(files, name, signedAt, verifier)
  return {
    day,
    close: { document, sha256: sha256(bytes) },
    ...signature,
    timestampAt: isoText(timestamp.at),
    isTimestampVerified: seenAt !== null,
    unfilled: unfilledEntries(document),
    problems: [
      ...sums,
      ...(document.day === day ? [] : [`${name} is the close of ${document.day}`]),
      ...checkFiles(day, files, document),
      ...problems,
      ...timestamp.problems,
      ...checkAlone(document),
    ],
  }
}

function checkSums(day: string, files: DayFiles): readonly string[] {
  const name = `${day}${SUFFIX.sums}`
  const written = files.get(name)
  if (written === undefined)
    return [
      `${name} is missing: the close of ${day} was not finished, or the file was removed; close it again`,
    ]
  const others = new Map([...files].filter(([other]) => other !== name))
  const text = written.toString('utf8')
  if (text === sumsText(others) && Buffer.from(text).equals(written)) return []
  const listed = new Map(
    text.split('\n').flatMap((line) => {
      const [, digest = '', of = ''] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []
      return of === '' ? [] : [[of, digest] as const]
    }),
  )
  const changed = [...others].filter(([of, bytes]) => listed.get(of) !== sha256(bytes))
  const gone = [...listed.keys()].filter((of) => !others.has(of))
  const problems = [
    ...changed.map(([of]) =>
      listed.has(of) ? `${of} is not as it was written` : `${of} is not listed in ${name}`,
    ),
    ...gone.map((of) => `${of} is missing`),
  ]
  return problems.length > 0 ? problems : [`${name} is not as it was written`]
}

function checkFiles(day: string, files: DayFiles, { files: listed }: CloseDocument): readonly string[] {
  const own = [SUFFIX.document, SUFFIX.signature, SUFFIX.timestamp, SUFFIX.sums].map(
    (suffix) => `${day}${suffix}`,
  )
  const names = new Set([...own, ...listed.map(({ name }) => name)])
  return [
    ...listed.flatMap(({ name, sha256: digest }) => {
      const bytes = files.get(name)
      if (bytes === undefined) return [`${name} is missing`]
      return sha256(bytes) === digest ? [] : [`${name} is not the one that the close lists`]
    }),
    ...[...files.keys()]
      .filter((name) => !names.has(name))
      .map((name) => `${name} is not listed in the close`),
  ]
}

function checkTimestamp(
  files: DayFiles,
  document: string,
  { hasAuthority, timestamp }: Verifier,
): { readonly at: Ms | null; readonly problems: readonly string[] } {
  const name = `${document}.tsr`
  const [message, answer] = [files.get(document), files.get(name)]
  if (message === undefined || answer === undefined)
    return { at: null, problems: hasAuthority ? [`${document} has no time-stamp`] : [] }
  const seen = timestamp(message, answer)
  if (seen.ok) return { at: seen.value, problems: [] }
  return { at: null, problems: [`${name} does not hold: ${seen.error}`] }
}
