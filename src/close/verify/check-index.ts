import type { Ms } from '../../base/time.ts'
import { parseIndex } from '../folder/fleet-index.ts'
import { INDEX } from '../folder/names.ts'
import { type AllowedSigner, allowedSigner } from '../sign/allowed-signers.ts'
import { verifySignature } from '../sign/ssh-signature.ts'
import type { FolderReport } from './verify-folder.ts'

/**
 * What the index of a fleet's folder names and the folders do not have, a sentence each: a position without any close, and closes
 * that were cut off at either end. Without an index nothing is checked; `signers` null = not checked whose signature it is.
 */
export function checkIndex(
  files: ReadonlyMap<string, Buffer>,
  reports: readonly Pick<FolderReport, 'position' | 'days'>[],
  signers: readonly AllowedSigner[] | null,
): readonly string[] {
  const bytes = files.get(INDEX.document)
  if (bytes === undefined) return files.size === 0 ? [] : [`${INDEX.document} is missing`]
  const index = parseIndex(bytes)
  if (!index.ok) return [index.error]
  const missing = index.value.positions.flatMap(({ position, first, last }) => {
    const days = reports.filter((one) => one.position === position).flatMap((one) => one.days)
    if (days.length === 0) return [`the closes of ${position}, from ${first} on, are missing`]
    const hasFirst = days.some(({ day }) => day === first)
    const hasLast =
      last === null || days.some(({ day, close }) => day === last.day && close?.sha256 === last.sha256)
    return [
      ...(hasFirst ? [] : [`the close of ${position} of ${first}, its first one, is missing`]),
      ...(hasLast
        ? []
        : [
            `the close of ${position} of ${last?.day} is missing, or not the one that ${INDEX.document} names`,
          ]),
    ]
  })
  return [...checkSignature(files, bytes, signers, lastClosedAt(reports)), ...missing]
}

/** The index is signed after the last close that it names. */
function lastClosedAt(reports: readonly Pick<FolderReport, 'days'>[]): Ms {
  const all = reports.flatMap(({ days }) => days)
  return Math.max(
    0,
    ...all.map(({ close }) => Date.parse(close?.document.closedAt ?? '1970-01-01T00:00:00Z')),
  )
}

function checkSignature(
  files: ReadonlyMap<string, Buffer>,
  bytes: Buffer,
  signers: readonly AllowedSigner[] | null,
  at: Ms,
): readonly string[] {
  const armour = files.get(INDEX.signature)
  if (armour === undefined) return signers === null ? [] : [`${INDEX.document} is not signed`]
  const text = armour.toString('utf8')
  const verified = verifySignature(text, bytes)
  if (!verified.ok || !Buffer.from(text).equals(armour)) return [`${INDEX.signature} does not hold`]
  const { blob, fingerprint } = verified.value
  if (signers === null || allowedSigner(signers, blob, at) !== null) return []
  return [
    `${INDEX.signature} is by ${fingerprint}, which nobody of the signers' file has, or not for this purpose or time`,
  ]
}
