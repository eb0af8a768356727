/** A shorter secret would be found in innocent text. Keys of the venue have dozens of characters. */
const SHORTEST = 8

/**
 * Takes the key out of what the venue sent, should it echo it: written plainly, or with characters that
 * JSON escapes. Everything the client gives out passes through here.
 */
export function createRedactor(secret: string): (text: string) => string {
  if (secret.length < SHORTEST) return (text) => text
  const inJson = JSON.stringify(secret).slice(1, -1)
  const strike = (text: string) => text.replaceAll(secret, '[redacted]').replaceAll(inJson, '[redacted]')
  return (text) => {
    const plain = strike(text)
    if (!/\\[u/]/.test(plain)) return plain
    const rewritten = rewrite(plain)
    const struck = strike(rewritten)
    return struck === rewritten ? plain : struck
  }
}

/** Replaces \uXXXX of printable ASCII and \/ by the character itself, except quotes and backslashes. */
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
