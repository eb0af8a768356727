/** A shorter secret would match ordinary text. Venue keys have dozens of characters. */
const SHORTEST_KEY = 8
const SHORTEST_URL_PART = 6

/**
 * Returns a function that redacts secrets from a server's text, both plain and JSON-escaped. Every text that a client
 * with a key returns passes through it.
 */
export function createRedactor(
  secrets: readonly string[],
  shortest = SHORTEST_KEY,
): (text: string) => string {
  const forms = secrets
    .filter(({ length }) => length >= shortest)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
  if (forms.length === 0) return (text) => text
  const strike = (text: string) => forms.reduce((rest, form) => rest.replaceAll(form, '[redacted]'), text)
  return (text) => {
    const plain = strike(text)
    if (!/\\[u/]/.test(plain)) return plain
    const rewritten = rewrite(plain)
    const struck = strike(rewritten)
    return struck === rewritten ? plain : struck
  }
}

/** Returns a function that redacts the parts of a URL, because any of them may be a key. */
export function createUrlRedactor({ pathname, search, username, password }: URL): (text: string) => string {
  const authorization = Buffer.from(`${unescaped(username)}:${unescaped(password)}`).toString('base64')
  const parts = [...pathname.split('/'), ...search.split(/[?&=]/), username, password, authorization]
  return createRedactor(
    parts.flatMap((part) => [part, unescaped(part)]),
    SHORTEST_URL_PART,
  )
}

/** Decodes a part of a URL; one with an invalid percent escape, possible in a key, is returned unchanged. */
export function unescaped(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Decodes \uXXXX of printable ASCII and \/, except quotes and backslashes. */
function rewrite(text: string): string {
  return text.replaceAll(
    /\\(\\|\/|u00([2-7][0-9a-fA-F]))/g,
    (escape, kind: string, hex: string | undefined) => {
      if (kind === '/') return '/'
      const character = hex === undefined ? '' : String.fromCharCode(Number.parseInt(hex, 16))
      return character === '' || character === '"' || character === '\\' ? escape : character
    },
  )
}
