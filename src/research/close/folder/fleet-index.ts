import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import { canonicalJson, readCanonical } from '../document/canonical.ts'
import { readClose } from '../document/document.ts'
import { type Disk, DISK } from './disk.ts'
import { INDEX, sha256, SUFFIX } from './names.ts'
import { readCloseFolder } from './read-folder.ts'

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/)

const indexSchema = z.strictObject({
  format: z.literal('mizani-fleet/1'),
  /** Sorted by name, without duplicates. */
  positions: z.array(
    z.strictObject({
      position: z.string(),
      first: day,
      /** Its last final close; null = none yet. */
      last: z.strictObject({ day, sha256: z.string().regex(/^[0-9a-f]{64}$/) }).nullable(),
    }),
  ),
})

/** The positions with closes in the neighbouring folders, each with its first day and its last final close. */
type FleetIndex = z.infer<typeof indexSchema>
type Listed = FleetIndex['positions'][number]

/** Parses a stored index; the error explains why it is invalid. */
export function parseIndex(bytes: Buffer): Result<FleetIndex, string> {
  const text = bytes.toString('utf8')
  const read = Buffer.from(text).equals(bytes) ? readCanonical(text) : null
  const parsed = indexSchema.safeParse(read?.value, { jitless: true })
  return parsed.success ? ok(parsed.data) : err(`${INDEX.document} was changed after it was written`)
}

/**
 * Updates the index of a fleet's folder with these positions' closes, and signs it. A listed position stays listed,
 * from its first day on. The error names the next step; the closes are already written by then.
 */
export function updateIndex(
  folder: string,
  positions: readonly string[],
  sign: ((bytes: Uint8Array) => Result<string, string>) | null,
  disk: Disk = DISK,
): Result<void, string> {
  try {
    const path = join(folder, INDEX.document)
    const before = existsSync(path) ? parseIndex(readFileSync(path)) : null
    if (before?.ok === false) return err(`${before.error}: restore it; the closes are written`)
    const listed = new Map(before?.value.positions.map((one) => [one.position, one]))
    for (const position of positions) {
      const now = listedIn(join(folder, position), position, listed.get(position))
      if (now !== null) listed.set(position, now)
    }
    const sorted = [...listed.values()].toSorted((a, b) => (a.position < b.position ? -1 : 1))
    const index: FleetIndex = { format: 'mizani-fleet/1', positions: sorted }
    const bytes = Buffer.from(canonicalJson(index))
    const signature = sign === null ? null : sign(bytes)
    if (signature?.ok === false) return signature
    replaceBoth(folder, bytes, signature === null ? null : Buffer.from(signature.value), disk)
    return ok(undefined)
  } catch (error) {
    return err(
      `${join(folder, INDEX.document)} cannot be written (${errorText(error)}): the closes are written`,
    )
  }
}

/** Returns the closes of a position's folder merged with the earlier listing; null = no close. */
function listedIn(folder: string, position: string, before: Listed | undefined): Listed | null {
  const read = readCloseFolder(folder)
  const days = read.ok ? [...read.value.days] : []
  const [first] = days
  if (first === undefined) return null
  const finals = days.flatMap(([of, files]) => {
    const bytes = files.get(`${of}${SUFFIX.document}`)
    const close = bytes === undefined ? null : readClose(bytes)
    return bytes !== undefined && close?.ok === true && close.value.status === 'final'
      ? [{ day: of, sha256: sha256(bytes) }]
      : []
  })
  const last = finals.at(-1) ?? null
  const isFurther = last !== null && last.day > (before?.last?.day ?? '')
  return {
    position,
    first: before === undefined || first[0] < before.first ? first[0] : before.first,
    last: isFurther ? last : (before?.last ?? null),
  }
}

/** Removes the old signature first: after an interruption the index is unsigned rather than wrongly signed. */
function replaceBoth(folder: string, bytes: Buffer, signature: Buffer | null, disk: Disk): void {
  const [document, signed] = [join(folder, INDEX.document), join(folder, INDEX.signature)]
  const isThere = disk.read(document)?.equals(bytes) === true
  if (!isThere) disk.remove(signed)
  for (const [path, of] of [[document, isThere ? null : bytes] as const, [signed, signature] as const]) {
    if (of === null) continue
    const part = `${path}.${process.pid}.part`
    disk.remove(part)
    disk.write(part, of)
    disk.replace(part, path)
  }
  disk.flush(folder)
}
