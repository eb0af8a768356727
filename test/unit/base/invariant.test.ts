import { describe, expect, it } from 'vitest'
import { err, invariant, InvariantError, ok } from '../../../src/base/result.ts'

describe('a broken promise of our own code', () => {
  it('is thrown with its sentence, and by a kind of its own', () => {
    expect(() => {
      invariant(false, 'the book balances')
    }).toThrow(new InvariantError('the book balances'))
  })

  it('that holds says nothing', () => {
    expect(() => {
      invariant(1, 'one is something')
    }).not.toThrow()
  })
})

describe('an expected failure', () => {
  it('is a value that has to be looked at', () => {
    expect(ok(5)).toEqual({ ok: true, value: 5 })
    expect(err('no')).toEqual({ ok: false, error: 'no' })
  })
})
