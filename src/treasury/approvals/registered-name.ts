/** A name that is safe to show, and a remark if it does not look like a name. */
export type ReadName = { readonly name: string | null; readonly note: string | null }

/** Longer than any real name; the rails truncate at 140 characters. */
const LONGEST = 140
/** Matches characters that names do not have. */
const ODD = /[^\p{L}\p{M}\p{N} .,'’&/()+-]/gu
/** Control, format, unassigned and private characters, which move, hide or reverse the text next to them. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u
/** Stacked marks, which cover the lines around them. */
const PILED = /\p{M}{3}/u
const OTHER_LETTERS = /[^\p{Script=Latin}\P{L}]/u

/**
 * Reads a registered name from outside, which may contain anything. A name that cannot be shown safely counts as
 * unknown, and one that does not look like a name gets a remark. Replaces no character, because an approver must see
 * the venue's exact text.
 */
export function readRegisteredName(text: string | null): ReadName {
  const name = text === null ? '' : text.normalize('NFC').trim()
  if (name === '') return unknownName('the venue has no name for the account')
  const { length } = name
  if (length > LONGEST) return unknownName(`the venue answered ${length} characters, which is not a name`)
  if (UNSEEN.test(name) || PILED.test(name))
    return unknownName('the venue answered a name with characters that cannot be shown')
  const odd = [...new Set(name.match(ODD))].join(' ')
  if (odd !== '') return { name, note: `it has characters that names do not have: ${odd}` }
  return {
    name,
    note: OTHER_LETTERS.test(name)
      ? 'it has letters of another alphabet, which may look like Latin ones'
      : null,
  }
}

export function unknownName(note: string): ReadName {
  return { name: null, note }
}

/** Returns whether two spellings are the same name; ignores case, width and the number of spaces. */
export function isSameName(a: string, b: string): boolean {
  return folded(a) === folded(b)
}

function folded(name: string): string {
  return name.normalize('NFKC').toUpperCase().replaceAll(/\s+/gu, ' ').trim()
}
