/** The place of an observation: its event's number, and its index in the event. */
type EventPlace = { readonly seq: number; readonly n: number }

const TEXT = /^(\d{1,15})\.(\d{1,6})$/

/** Returns a place as an id to continue reading from. */
export function eventPlaceText({ seq, n }: EventPlace): string {
  return `${seq}.${n}`
}

/** Parses such an id; null = invalid. */
export function parseEventPlace(text: string): EventPlace | null {
  const [, seq, n] = TEXT.exec(text) ?? []
  return seq === undefined || n === undefined ? null : { seq: Number(seq), n: Number(n) }
}
