/** Moves the entry to the newest place in the map, evicts the oldest entries beyond `most`, and returns the value. */
export function keepNewest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): Value {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= most) break
    map.delete(oldest)
  }
  return value
}
