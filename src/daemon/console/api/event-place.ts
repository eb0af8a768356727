/** Where an observation stands: its event's number, and its place in it. */
type EventPlace = { readonly seq: number; readonly n: number }

const TEXT = /^(\d{1,15})\.(\d{1,6})$/

/** A place as an id that says where to go on reading. */
export function eventPlaceText({ seq, n }: EventPlace): string {
  return `${seq}.${n}`
}

/** The place of such an id; null where it is not one. */
export function parseEventPlace(text: string): EventPlace | null {
  const [, seq, n] = TEXT.exec(text) ?? []
  return seq === undefined || n === undefined ? null : { seq: Number(seq), n: Number(n) }
}
