import { describe, expect, test } from 'vitest'
import { closingFromMs, elapsedMs, mayStartWrite, standingOf } from '../../../../src/core/lease/holder.ts'
import { DEFAULT_TERMS } from '../../../../src/core/lease/terms.ts'

describe('The time since a renewal', () => {
  test('follows the wall clock after the machine was suspended', () => {
    expect(elapsedMs({ steadyMs: 100, wallMs: 1_000 }, { steadyMs: 200, wallMs: 9_000 })).toBe(8_000)
  })

  test('follows the steady clock after the wall clock was set back', () => {
    expect(elapsedMs({ steadyMs: 100, wallMs: 9_000 }, { steadyMs: 700, wallMs: 1_000 })).toBe(600)
  })
})

describe('A holder', () => {
  test('starts its last write where the whole time-out still fits before the deadline', () => {
    expect(mayStartWrite(DEFAULT_TERMS, 2_000)).toBe(true)
    expect(mayStartWrite(DEFAULT_TERMS, 2_000.1)).toBe(false)
  })

  test('holds through one slow renewal, closes after it, and has lapsed when no write may start', () => {
    expect(closingFromMs(DEFAULT_TERMS)).toBe(1_600)
    expect(standingOf(DEFAULT_TERMS, 1_500)).toBe('held')
    expect(standingOf(DEFAULT_TERMS, 1_600)).toBe('closing')
    expect(standingOf(DEFAULT_TERMS, 2_000)).toBe('closing')
    expect(standingOf(DEFAULT_TERMS, 2_001)).toBe('lapsed')
  })
})
