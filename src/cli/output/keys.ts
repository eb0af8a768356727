type Input = Pick<
  NodeJS.ReadStream,
  'isTTY' | 'setRawMode' | 'setEncoding' | 'on' | 'off' | 'pause' | 'resume'
>

type TerminalKeys = { readonly stop: () => void }

/** The character that begins a terminal's codes, and the key of that name. */
export const ESCAPE = '\u001B'
const KEYS = new RegExp(String.raw`${ESCAPE}(?:\[[\d;]*[A-Za-z~]|O[A-Za-z])|[^]`, 'gu')

/**
 * Receives single keys without Enter, including Ctrl-C and Ctrl-Z (`\u0003`, `\u001A`) instead of their signals.
 * Receives nothing if the input is not a terminal. Releases the input when it stops and when the process ends.
 */
export function listenForKeys(input: Input, onKey: (key: string) => void): TerminalKeys {
  if (!input.isTTY) return { stop: () => undefined }
  const onData = (text: string): void => {
    for (const key of keysOf(text)) onKey(key)
  }
  const stop = (): void => {
    process.off('exit', stop)
    input.off('data', onData)
    input.setRawMode(false)
    input.pause()
  }
  process.once('exit', stop)
  input.setRawMode(true)
  input.setEncoding('utf8')
  input.on('data', onData)
  input.resume()
  return { stop }
}

/** Arrow keys arrive as several characters starting with Escape, but are one key. */
function keysOf(text: string): readonly string[] {
  return text.match(KEYS) ?? []
}
