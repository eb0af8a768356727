/** A deterministic stream of numbers in [0, 1). */
export type Random = () => number

/**
 * Returns the same stream for the same seed and label, and unrelated streams for different labels, so that a new
 * consumer does not change the draws of others. Source: xoshiro128** 1.1 (Blackman, Vigna 2018), seeded by splitmix32
 * over an FNV-1a hash of the label.
 */
export function seededRandom(seed: number, label: string): Random {
  let hash = 0x811c9dc5 ^ (seed | 0)
  for (let i = 0; i < label.length; i++) hash = Math.imul(hash ^ label.charCodeAt(i), 0x01000193)
  const next = () => {
    hash = (hash + 0x9e3779b9) | 0
    let z = hash
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return (z ^ (z >>> 15)) | 0
  }
  let a = next()
  let b = next()
  let c = next()
  let d = next() | 1
  return () => {
    const scrambled = Math.imul(b, 5)
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9)
    const t = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = (d << 11) | (d >>> 21)
    return (result >>> 0) / 4294967296
  }
}

/** Draws from the standard normal distribution. Source: Box, Muller 1958; the second number is discarded. */
export function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** Draws from the exponential distribution with this mean, by inversion. */
export function drawExponential(random: Random, mean = 1): number {
  return -mean * Math.log(1 - random())
}
