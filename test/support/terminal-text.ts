import fc from 'fast-check'

/** Characters and sequences that command a terminal: C0, DEL, C1, line separators, bidi marks, CSI, OSC and SGR sequences. */
const COMMANDS = fc.oneof(
  fc.integer({ min: 0, max: 0x1f }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0x7f, max: 0x9f }).map((code) => String.fromCharCode(code)),
  fc.constantFrom(...'\u2028\u2029\u061C\u200E\u200F\u202A\u202E\u2066\u2069\u206F\uFFF9'.split('')),
  fc.constantFrom('\u001B[2J', '\u001B]0;title\u0007', '\u001B[31m', '\u009B8m', '\u001BP', '\r\u001B[K'),
)
export const HOSTILE_TEXT = fc
  .array(fc.oneof(COMMANDS, fc.string({ unit: 'grapheme', maxLength: 4 })), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(''))

/** Returns whether the text has no character that a terminal obeys; line breaks and tabs are allowed. */
export function commandsNothing(text: string): boolean {
  return !/[^\P{Cc}\n\t]|[\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u206F\uFFF9-\uFFFB]/u.test(text)
}
