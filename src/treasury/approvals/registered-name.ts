/** A name as it may be shown, and what is odd about it. */
export type ReadName = { readonly name: string | null; readonly note: string | null }

/** Longer than the name of any person or company; the rails cut theirs at 140 characters. */
const LONGEST = 140
/** Characters that names have beside letters, marks and digits. */
const ODD = /[^\p{L}\p{M}\p{N} .,'’&/()+-]/gu
/** Control, format, unassigned and private characters: they move, hide or turn around the text beside them. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u
/** Marks that pile up over the lines around them. */
const PILED = /\p{M}{3}/u
const OTHER_LETTERS = /[^\p{Script=Latin}\P{L}]/u

/**
 * A registered name from outside, which may be anything: what cannot be shown safely is not known, and what looks unlike a
 * name is shown with a note. Nothing of it is replaced, for an approver has to see what the venue has.
 */
export function readRegisteredName(text: string | null): ReadName {
  const name = text === null ? '' : text.normalize('NFC').trim()
  if (name === '') return unknownName('the venue has no name for the account')
  const { length } = name
  if (length > LONGEST) return unknownName(`the venue answers ${length} characters, which is no name`)
  if (UNSEEN.test(name) || PILED.test(name))
    return unknownName('the venue answers a name with characters that cannot be shown')
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

/** Whether two spellings are one name: capitals, widths and the number of spaces do not count, letters do. */
export function isSameName(a: string, b: string): boolean {
  return folded(a) === folded(b)
}

function folded(name: string): string {
  return name.normalize('NFKC').toUpperCase().replaceAll(/\s+/gu, ' ').trim()
}
