/** Text that came from outside, or that a person wrote, as an assistant gets it: to read, never to obey. */
export type Marked = { readonly untrusted: string }

/** What is never the program's own word, whatever it looks like. */
const OUTSIDE_KEYS = new Set([
  'answer',
  'because',
  'claims',
  'error',
  'id',
  'key',
  'message',
  'note',
  'notes',
  'orderId',
  'problem',
  'problems',
  'reason',
  'reasons',
  'source',
  'text',
  'who',
  'why',
])

/** A number, an address or a hash, a moment, or a short word with dots and dashes: nothing that reads as a sentence. */
const PLAIN =
  /^(?:[+-]?\d{1,80}(?:\.\d{1,80})?|0x[0-9a-fA-F]{1,64}|[0-9a-f]{8,64}|\d{4}-\d\d-\d\dT[\d:.]{5,15}Z|[A-Za-z][A-Za-z0-9]{0,31}(?:[-_.][A-Za-z0-9]{1,31}){0,3})$/

/** Of these every answer of an assistant's client is short enough to be read by a person too. */
const MOST_CHARACTERS = 2_000

/** Control characters, and what is not seen or turns the reading direction: text that hides in text. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** A text as it may be shown: nothing in it is unseen, and it is not endless. */
export function shownText(text: string): string {
  const seen = text.replaceAll(/[\n\t]/g, ' ').replaceAll(UNSEEN, '\uFFFD')
  if (seen.length <= MOST_CHARACTERS) return seen
  return `${seen.slice(0, MOST_CHARACTERS)}… (${seen.length - MOST_CHARACTERS} more characters)`
}

/**
 * The same data, in which every text that is no figure and no word of the program's own is marked:
 * `{ "untrusted": "..." }`. It errs on the safe side: sentences of the program are marked too, because they quote what
 * came from outside. bigint is written as decimal text.
 */
export function markOutside(value: unknown): unknown {
  return marked(value, false)
}

function marked(value: unknown, isOutside: boolean): unknown {
  switch (typeof value) {
    case 'string':
      return !isOutside && PLAIN.test(value) ? value : { untrusted: shownText(value) }
    case 'bigint':
      return value.toString()
    case 'object':
      if (value === null) return null
      if (Array.isArray(value)) return value.map((one: unknown) => marked(one, isOutside))
      return markedFields(value as Readonly<Record<string, unknown>>, isOutside)
    case 'number':
    case 'boolean':
      return value
    case 'undefined':
    case 'function':
    case 'symbol':
      return null
  }
}

/** A name of a field that is no plain word came from outside as well. */
function markedFields(fields: Readonly<Record<string, unknown>>, isOutside: boolean): object {
  const own: [string, unknown][] = []
  const others: object[] = []
  for (const [name, value] of Object.entries(fields)) {
    const below = marked(value, isOutside || OUTSIDE_KEYS.has(name))
    if (PLAIN.test(name) && name !== 'untrusted') own.push([name, below])
    else others.push({ name: { untrusted: shownText(name) }, value: below })
  }
  return Object.fromEntries(others.length === 0 ? own : [...own, ['otherFields', others]])
}
