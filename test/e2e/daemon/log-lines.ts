/** The log lines of a daemon at level warn and above, as their messages; for telling why a test failed. */
export function troublesIn(output: string): string[] {
  return logLines(output)
    .filter(({ level }) => level === 'warn' || level === 'error' || level === 'fatal')
    .map(({ msg }) => String(msg))
}

export type LogLine = Readonly<Record<string, unknown>>

export function logLines(output: string): LogLine[] {
  return output.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return []
    return [JSON.parse(line) as LogLine]
  })
}
