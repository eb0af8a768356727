import fc from 'fast-check'

const SURROGATES = { from: 0xd800, count: 0x800 }

/**
 * Every code point, for `fc.string({ unit })`. The unit 'binary' of fast-check draws the same, and builds a table of all of
 * them first, which takes seconds in each process.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - SURROGATES.count }).map(
  (point) => String.fromCodePoint(point < SURROGATES.from ? point : point + SURROGATES.count),
  (text) => {
    const point = typeof text === 'string' ? text.codePointAt(0) : undefined
    if (point === undefined || String.fromCodePoint(point) !== text) throw new Error('no character')
    return point < SURROGATES.from ? point : point - SURROGATES.count
  },
)
