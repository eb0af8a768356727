import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { readCanonical } from '../document/canonical.ts'
import { closeSchema, type CloseDocument } from '../document/document.ts'
import { sha256, SUFFIX, sumsText } from '../folder/names.ts'
import { type AllowedSigner, allowedSigner } from '../sign/allowed-signers.ts'
import { verifySignature } from '../sign/ssh-signature.ts'
import { readTimestamp } from '../timestamp/timestamp.ts'
import { checkAlone, unfilledEntries } from './check-document.ts'
import type { KeptClose } from './check-chain.ts'
import type { Unfilled } from './corrections.ts'

/** The files of a day by their names. */
export type DayFiles = ReadonlyMap<string, Buffer>

export type DayReport = {
  readonly day: string
  /** Null = it does not parse. */
  readonly close: KeptClose | null
  /** The key that signed, as `ssh-keygen -l` names it; null = not signed. */
  readonly signedBy: string | null
  /** The principals of the signers' file; null = not checked, or nobody of the file. */
  readonly signer: string | null
  /** When an authority saw the close, by its answer; null = not time-stamped. */
  readonly timestampAt: string | null
  /** What is wrong with the day by itself. */
  readonly problems: readonly string[]
  /** Entries without their fill: wrong as well, unless a later close took the fill back. */
  readonly unfilled: readonly Unfilled[]
}

/** Verifies a day by itself: every byte of its files, what follows from what, and who signed. `signers` null = not checked. */
export function checkDay(day: string, files: DayFiles, signers: readonly AllowedSigner[] | null): DayReport {
  const bytes = files.get(`${day}${SUFFIX.document}`)
  const sums = checkSums(day, files)
  const nothing = { day, close: null, signedBy: null, signer: null, timestampAt: null, unfilled: [] }
  if (bytes === undefined) return { ...nothing, problems: [...sums, `${day}${SUFFIX.document} is missing`] }
  const read = readClose(bytes)
  if (!read.ok) return { ...nothing, problems: [...sums, read.error] }
  const document = read.value
  const timestamp = checkTimestamp(day, files)
  // The signer wrote the close's own time. What an authority saw is not theirs to choose.
  const signature = checkSignature(day, files, Date.parse(timestamp.at ?? document.closedAt), signers)
  return {
    day,
    close: { document, sha256: sha256(bytes) },
    signedBy: signature.signedBy,
    signer: signature.signer,
    timestampAt: timestamp.at,
    unfilled: unfilledEntries(document),
    problems: [
      ...sums,
      ...(document.day === day ? [] : [`${day}${SUFFIX.document} is the close of ${document.day}`]),
      ...checkFiles(day, files, document),
      ...signature.problems,
      ...timestamp.problems,
      ...checkAlone(document),
    ],
  }
}

/** A close as it was written; the error is why it is none. */
export function readClose(bytes: Buffer): Result<CloseDocument, string> {
  const text = bytes.toString('utf8')
  const read = Buffer.from(text).equals(bytes) ? readCanonical(text) : null
  if (read === null) return err('the document is not canonical JSON: it is not as it was written')
  const parsed = closeSchema.safeParse(read.value, { jitless: true })
  if (parsed.success) return ok(parsed.data)
  const [issue] = parsed.error.issues
  return err(`the document is no close of this version: ${issue?.path.join('.')}: ${issue?.message}`)
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

function checkSignature(
  day: string,
  files: DayFiles,
  at: Ms,
  signers: readonly AllowedSigner[] | null,
): Pick<DayReport, 'signedBy' | 'signer' | 'problems'> {
  const none = { signedBy: null, signer: null }
  const armour = files.get(`${day}${SUFFIX.signature}`)
  if (armour === undefined)
    return { ...none, problems: signers === null ? [] : [`the close of ${day} is not signed`] }
  const name = `${day}${SUFFIX.signature}`
  const text = armour.toString('utf8')
  const verified = verifySignature(text, files.get(`${day}${SUFFIX.document}`) ?? Buffer.alloc(0))
  if (!verified.ok || !Buffer.from(text).equals(armour))
    return {
      ...none,
      problems: [`${name} does not hold: ${verified.ok ? 'its bytes are no text' : verified.error}`],
    }
  const { blob, fingerprint: signedBy } = verified.value
  if (signers === null) return { signedBy, signer: null, problems: [] }
  const signer = allowedSigner(signers, blob, at)
  if (signer !== null) return { signedBy, signer: signer.principals, problems: [] }
  return {
    signedBy,
    signer: null,
    problems: [
      `${name} is by ${signedBy}, which nobody of the signers' file has, or not for this purpose or time`,
    ],
  }
}

function checkTimestamp(
  day: string,
  files: DayFiles,
): { readonly at: string | null; readonly problems: readonly string[] } {
  const answer = files.get(`${day}${SUFFIX.timestamp}`)
  if (answer === undefined) return { at: null, problems: [] }
  const read = readTimestamp(answer, files.get(`${day}${SUFFIX.document}`) ?? Buffer.alloc(0))
  if (read.ok) return { at: read.value.at, problems: [] }
  return { at: null, problems: [`${day}${SUFFIX.timestamp} does not hold: ${read.error}`] }
}
