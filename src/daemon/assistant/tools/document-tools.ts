import { z } from 'zod'
import { err, ok, type Result } from '../../../base/result.ts'
import { MOST_ANSWER_CHARACTERS } from '../answer-text.ts'
import type { Document } from '../ports.ts'

/** The size of one part of a page; with its frame, the answer stays below the limit. */
const PART_CHARACTERS = MOST_ANSWER_CHARACTERS / 2

export const documentQuestion = z.strictObject({
  name: z.string().max(100).describe('A page such as `treasury`; the resource mizani://docs lists them.'),
  part: z.int().min(1).max(100).default(1).describe('Long pages come in parts.'),
})

/** Returns the number of parts of a page. */
export function partsOf({ text }: Document): number {
  return Math.max(1, Math.ceil(text.length / PART_CHARACTERS))
}

/** Returns the list of pages. The documentation is the program's own text, so it is not marked. */
export function documentList(documents: readonly Document[]): string {
  return documents.map((one) => `${one.name} (${partsOf(one)} part(s)): ${one.title}`).join('\n')
}

/** Returns one part of a page and where the next one begins. */
export function documentPart(
  documents: readonly Document[],
  name: string,
  part: number,
): Result<string, string> {
  const found = documents.find((one) => one.name === name)
  if (found === undefined)
    return err(`there is no page with that name; the pages are\n${documentList(documents)}`)
  const parts = partsOf(found)
  if (part > parts) return err(`the page ${name} has ${parts} part(s)`)
  const text = found.text.slice((part - 1) * PART_CHARACTERS, part * PART_CHARACTERS)
  return ok(part === parts ? text : `${text}\n[continues in part ${part + 1} of ${parts}]`)
}
