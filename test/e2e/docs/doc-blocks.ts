/**
 * A fenced block of a page. Its first line says what it is: ```` ```sh ```` is run as it stands, and more words behind
 * `sh` say how; ```` ```ts desk/own.ts ```` is a file; ```` ```text ```` is what the command before it printed.
 */
export type DocBlock = {
  readonly language: string
  readonly words: readonly string[]
  readonly text: string
  readonly line: number
}

/** Every fenced block of a page, in order. */
export function docBlocks(markdown: string): readonly DocBlock[] {
  return [...markdown.matchAll(/^```(\w+)?(.*)\n([^]*?)^```$/gm)].map((match) => ({
    language: match[1] ?? '',
    words: (match[2] ?? '').trim().split(' ').filter(Boolean),
    text: match[3] ?? '',
    line: markdown.slice(0, match.index).split('\n').length,
  }))
}

/** The commands of a block: a line that ends with a backslash continues, and comments are left out. */
export function commandsOf({ text }: DocBlock): readonly string[] {
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

/** Lines of a shown output that the real one does not have in this order; a line of `...` stands for any. */
export function missingLines(shown: string, real: string): readonly string[] {
  const lines = real.split('\n').map((line) => line.trimEnd())
  let from = 0
  return shown
    .trimEnd()
    .split('\n')
    .filter((line) => {
      if (line.trim() === '...') return false
      const at = lines.indexOf(line.trimEnd(), from)
      if (at >= 0) from = at + 1
      return at < 0
    })
}
