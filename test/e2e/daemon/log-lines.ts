export type LogLine = Readonly<Record<string, unknown>>

/** The JSON lines of a daemon's log; what else it printed is left out. */
export function logLines(output: string): LogLine[] {
  return output.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return []
    return [JSON.parse(line) as LogLine]
  })
}
