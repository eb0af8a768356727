import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSameName, readRegisteredName } from '../../../../src/treasury/approvals/registered-name.ts'
import { anyCharacter } from '../../../support/any-character.ts'

describe('a registered name from outside', () => {
  test.each(['AMINA KIMARO', "J. O'Neill & Sons (T) Ltd", 'Zoë Müller-Àbdì', 'DUKA 24/7 + CO'])(
    '%s is shown as it is',
    (name) => expect(readRegisteredName(` ${name} `)).toEqual({ name, note: null }),
  )

  test.each([
    ['nothing', null, 'the venue has no name for the account'],
    ['blanks', ' \t ', 'the venue has no name for the account'],
    ['ten thousand letters', 'A'.repeat(10_240), 'the venue answered 10240 characters, which is not a name'],
    [
      'a line break',
      'AMINA\nApproved by anna',
      'the venue answered a name with characters that cannot be shown',
    ],
    [
      'a sequence of a terminal',
      '\u001b[2JAMINA',
      'the venue answered a name with characters that cannot be shown',
    ],
    [
      'a turn of the reading direction',
      'AMINA \u202eORAMIK',
      'the venue answered a name with characters that cannot be shown',
    ],
    ['an invisible space', 'AMI\u200bNA', 'the venue answered a name with characters that cannot be shown'],
    ['half of a pair', 'AMINA \ud83d', 'the venue answered a name with characters that cannot be shown'],
    [
      'a tower of marks',
      'A\u0301\u0302\u0303\u0304\u0305',
      'the venue answered a name with characters that cannot be shown',
    ],
  ])('that is %s is not known, with the reason', (_what, text, note) => {
    expect(readRegisteredName(text)).toEqual({ name: null, note })
  })

  test('that has the characters of HTML is shown unchanged, with a note that names them', () => {
    const name = '<b onclick="x">AMINA</b>'
    expect(readRegisteredName(name)).toEqual({
      name,
      note: 'it has characters that names do not have: < = " >',
    })
  })

  test('that mixes another alphabet in is shown, with a note that its letters may look alike', () => {
    // The first letter is Cyrillic.
    expect(readRegisteredName('АMINA KIMARO')).toEqual({
      name: 'АMINA KIMARO',
      note: 'it has letters of another alphabet, which may look like Latin ones',
    })
    expect(isSameName('АMINA KIMARO', 'AMINA KIMARO')).toBe(false)
  })

  test('is the same with other capitals, widths and spaces, and another with any other letter', () => {
    expect(isSameName('Amina  Kimaro', 'AMINA KIMARO ')).toBe(true)
    expect(isSameName('ＡＭＩＮＡ', 'amina')).toBe(true)
    expect(isSameName('AMINA KIMARO', 'AMINA KIMARU')).toBe(false)
  })

  test('is shown as one short visible line, and reading it again changes nothing', () => {
    const anything = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc.string({ maxLength: 300 }),
    )
    fc.assert(
      fc.property(anything, (text) => {
        const { name, note } = readRegisteredName(text)
        if (name === null) return note !== null
        const isShort = name.length > 0 && name.length <= 140
        return isShort && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name) && readRegisteredName(name).name === name
      }),
      { numRuns: 1_000 },
    )
  })
})
