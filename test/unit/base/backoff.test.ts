import { describe, expect, it } from 'vitest'
import { backoffMs } from '../../../src/base/backoff.ts'
import { errorText } from '../../../src/base/result.ts'

describe('a back-off', () => {
  it('a back-off starts at the first pause and doubles with each failure in a row up to the longest', () => {
    expect([0, 1, 2, 3, 4, 5, 2_000].map((failures) => backoffMs(failures, 250, 2_000))).toEqual([
      250, 250, 500, 1_000, 2_000, 2_000, 2_000,
    ])
  })

  it('the text of an error is its message, and of any other thrown value the value as a string', () => {
    expect([errorText(new TypeError('no')), errorText('plain'), errorText(7)]).toEqual(['no', 'plain', '7'])
  })
})
