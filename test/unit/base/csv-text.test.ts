import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine } from '../../../src/base/csv-text.ts'
import { commandsNothing, HOSTILE_TEXT } from '../../support/terminal-text.ts'

test('a line of CSV ends in CRLF, null is an empty field, and quotes stand where a text needs them', () => {
  expect(csvLine(['a', null, 'b,c', 'say "no"', 'two\nlines', 1.5, true])).toBe(
    'a,,"b,c","say ""no""","two\nlines",1.5,true\r\n',
  )
})

test('a text that a spreadsheet would run begins with an apostrophe, behind spaces and in full width too', () => {
  for (const text of ['=1', '+1 day', '-a', '@x', ' =1', '\t=1', '\uFF1D1']) {
    expect(csvLine([text]).replaceAll('"', '')).toBe(`'${text}\r\n`)
  }
})

test('numbers are no formulas, whatever their sign and form', () => {
  expect(csvLine(['-12', '-0.5', -1e-7, -1e21])).toBe('-12,-0.5,-1e-7,-1e+21\r\n')
})

test('no cell commands a terminal, and a control character hides no formula', () => {
  fc.assert(
    fc.property(HOSTILE_TEXT, (text) => {
      const line = csvLine([text, 1])
      expect(line.endsWith(',1\r\n')).toBe(true)
      expect(commandsNothing(line.slice(0, -2))).toBe(true)
    }),
  )
  expect(csvLine(['\u0001=1'])).toBe('\uFFFD=1\r\n')
})
