/** Whether every place is from `lowest` to below `end`. */
export function areWithin(places: Int32Array, lowest: number, end: number): boolean {
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as number
    if (place < lowest || place >= end) return false
  }
  return true
}
