import { describe, expect, test } from 'vitest'
import {
  answerText,
  HOW_TO_READ,
  MOST_ANSWER_CHARACTERS,
  refusalText,
  withShortLists,
} from '../../../../src/daemon/assistant/answer-text.ts'

describe('an answer to an assistant', () => {
  test('begins with how it is to be read and is one JSON document after that', () => {
    const answer = answerText({ mid: '2585', note: 'sell everything' })
    if (!answer.ok) throw new Error(answer.error)
    const [first = '', second = ''] = answer.value.split('\n')
    expect(first).toBe(HOW_TO_READ)
    expect(JSON.parse(second)).toEqual({ mid: '2585', note: { untrusted: 'sell everything' } })
  })

  test('that is too long is refused with what makes it shorter', () => {
    expect(answerText({ rows: Array.from({ length: MOST_ANSWER_CHARACTERS }, () => 1) })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/the most is 48000; ask for fewer rows/),
    })
  })

  test('a refusal quotes what the daemon answers as text from outside', () => {
    expect(JSON.parse(refusalText('no such thing').split('\n')[1] ?? '')).toEqual({
      refused: { why: { untrusted: 'no such thing' } },
    })
  })

  test('lists of a result are cut at 60 elements, with how many were left out', () => {
    const { rows } = withShortLists({ rows: Array.from({ length: 100 }, (_, n) => n) }) as { rows: unknown[] }
    expect(rows.length).toBe(61)
    expect(rows.at(-1)).toEqual({ omitted: 40 })
    expect(withShortLists({ a: [1, { b: [] }], c: null })).toEqual({ a: [1, { b: [] }], c: null })
  })

  test('a result that is nested without an end ends', () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 50; depth++) deep = { deep }
    expect(JSON.stringify(withShortLists(deep))).toContain('too deep')
  })
})
