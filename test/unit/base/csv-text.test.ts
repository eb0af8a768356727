import { expect, test } from 'vitest'
import { csvLine } from '../../../src/base/csv-text.ts'

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
