/** Control characters (C0, DEL, C1), line separators and direction marks. */
const UNPRINTABLE = String.raw`[\p{Cc}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u206F\uFFF9-\uFFFB]`
const ONE = new RegExp(UNPRINTABLE, 'gu')
const OUTSIDE_LAYOUT = new RegExp(`(?![\\n\\t])${UNPRINTABLE}`, 'gu')
const OUTSIDE_STYLE = new RegExp(String.raw`\u001B\[[\d;]*m|(?!\n)${UNPRINTABLE}`, 'gu')
const REPLACEMENT = '\uFFFD'

/** Returns the text as one line without characters that control a terminal; line breaks are shown as `\\n`. */
export function printable(text: string): string {
  return text.replaceAll(/\r?\n/g, '\\n').replaceAll(ONE, REPLACEMENT)
}

/** Returns the text without characters that control a terminal; line breaks and tabs stay. */
export function printableLines(text: string): string {
  return text.replaceAll(OUTSIDE_LAYOUT, REPLACEMENT)
}

/** Returns lines that this program has coloured, without any other terminal control sequence. */
export function printableStyled(text: string): string {
  return text.replaceAll(OUTSIDE_STYLE, (found) => (found.length > 1 ? found : REPLACEMENT))
}

/** Returns the same JSON with terminal control characters escaped. */
export function printableJson(json: string): string {
  return json.replaceAll(OUTSIDE_LAYOUT, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
