/**
 * Reads server-sent events from text that comes in pieces: give each piece to the function, get the `data`
 * of the events that it completed. Comments, names and ids are left out: the data says what it is.
 */
export function eventReader(): (piece: string) => readonly string[] {
  let rest = ''
  let data: string[] = []
  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    const events: string[] = []
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) events.push(data.join('\n'))
        data = []
      } else if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
    }
    return events
  }
}
