import type { Message } from './message.ts'
import { plainText } from './plain-text.ts'

const MOST_LINE = 600

/**
 * The lines of a text, each of visible characters. Only what we write ourselves, summaries and lists of what was
 * held back, has several: what they quote has lost its own.
 */
export function textLines(kind: Message['kind'], text: string): readonly string[] {
  const lines = kind === 'summary' || kind === 'held' ? text.split('\n') : [text]
  return lines.map((line) => plainText(line, MOST_LINE))
}
