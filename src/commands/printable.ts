/** What would move a cursor, ring a bell or turn the reading direction; letters of people's own names stay. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

/** Text from elsewhere (a venue's error, a file's name) as it may be put on a terminal: nothing in it is a command. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, '\uFFFD')
}
