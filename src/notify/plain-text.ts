/** Controls, what reverses or hides text, and what is no character at all. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]+/gu
/** Invisible and without a width: readers see no difference, and no program sees a link. */
const JOINER = '\u2060'

/** One line of visible characters, at most `most` UTF-16 units long. */
export function plainText(text: string, most: number): string {
  const line = text
    .slice(0, most * 4)
    .toWellFormed()
    .replaceAll(INVISIBLE, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`
}

/** The same for the eye, but no chat makes a link, a mention, a command or a hash tag of it. */
export function withoutLinks(text: string): string {
  return text
    .replaceAll(/:\/\//g, `:${JOINER}//`)
    .replaceAll(/([\p{L}\p{N}-])\.(?=\p{L}{2})/gu, `$1.${JOINER}`)
    .replaceAll(/(^|[^\p{L}\p{N}])([@#/$])(?=[\p{L}\p{N}_])/gu, `$1$2${JOINER}`)
    .replaceAll(/([\p{L}\p{N}_.+-])@(?=[\p{L}\p{N}])/gu, `$1@${JOINER}`)
}
