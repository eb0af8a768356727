import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tableRow } from '../../../../src/cli/output/tables.ts'

describe('a row', () => {
  test('breaks between pieces first, and inside one only where it is longer than the line', () => {
    const plain = { width: 33, colour: false }
    expect(tableRow('label', ['one piece', 'another one', 'third'], plain)).toEqual([
      'label        one piece',
      '             another one   third',
    ])
    expect(tableRow('why', ['a sentence that is longer than what fits'], plain)).toEqual([
      'why          a sentence that is',
      '             longer than what',
      '             fits',
    ])
  })

  test('no text makes a line wider than the terminal', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 90 })),
        fc.integer({ min: 33, max: 120 }),
        (pieces, width) => {
          for (const line of tableRow('label', pieces, { width, colour: false })) {
            expect(line.length).toBeLessThanOrEqual(width)
          }
        },
      ),
    )
  })

  test('colour changes no letter', () => {
    const pieces = [{ text: 'HALTED', tone: 'bad' } as const, 'out of the market']
    const [coloured = ''] = tableRow('state', pieces, { width: 80, colour: true })
    const [plain = ''] = tableRow('state', pieces, { width: 80, colour: false })
    expect(coloured).toContain('\u001B[31mHALTED')
    expect(stripVTControlCharacters(coloured)).toBe(plain)
  })
})
