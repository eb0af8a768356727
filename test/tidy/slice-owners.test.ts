import { describe, expect, test } from 'vitest'
import { checkOwnersTable, checkWrites, parseOwners, slicesOf } from './slice-owners.ts'
import { parseSourceFile } from './source-file.ts'

const TABLE = `# Plan

## Who writes what

Some words.

| Slice | Owner |
|---|---|
| now | engine/engine.ts |
| book, flow | ledger, engine/accounting |
| latch | risk |

## Decisions
`
const OWNERS = parseOwners(TABLE)
const SLICES = slicesOf(
  parseSourceFile(
    'src/engine/model/state.ts',
    'export type EngineState = { now: Ms; book: BookState; flow: { size: Size }; latch: Latch }; type Other = { at: Ms }',
  ),
)

const writes = (path: string, text: string) =>
  checkWrites(parseSourceFile(path, text), OWNERS, SLICES).map(({ message }) => message)

describe('the table of owners', () => {
  test('is read from its section, one owner list for every slice of a row', () => {
    expect([...OWNERS]).toEqual([
      ['now', ['engine/engine.ts']],
      ['book', ['ledger', 'engine/accounting']],
      ['flow', ['ledger', 'engine/accounting']],
      ['latch', ['risk']],
    ])
    expect(() => parseOwners('# Plan')).toThrow(/no heading/)
    expect(() => parseOwners(TABLE.replace('| Slice |', '| Part |'))).toThrow(/columns/)
    expect(() => parseOwners(TABLE.replace('| latch |', '| now |'))).toThrow(/now is in two rows/)
  })

  test('names every slice of the state, nothing else, and only paths that have files', () => {
    const paths = [
      'src/engine/engine.ts',
      'src/ledger/book.ts',
      'src/engine/accounting/flow.ts',
      'src/risk/a.ts',
    ]
    expect([...SLICES.keys()]).toEqual(['now', 'book', 'flow', 'latch'])
    expect(checkOwnersTable(OWNERS, SLICES, paths)).toEqual([])
    expect(checkOwnersTable(OWNERS, SLICES, paths.slice(0, 3))).toEqual(['src/risk has no file'])
    const others = new Map([...SLICES].slice(1)).set('review', null)
    expect(checkOwnersTable(OWNERS, others, paths)).toEqual(['review has no owner', 'now is no slice'])
  })
})

describe('a write to a slice', () => {
  const LATCH = 'writes state.latch, which is written in risk only'

  test.each([
    ['state.latch = next', 'an assignment'],
    ['state.latch.reasons.size += 1', 'an assignment to a field'],
    ['state.latch.count++', 'a count'],
    ['delete state.latch.pending[id]', 'a deletion'],
    ['state.latch.reasons.push(reason)', 'a method that changes a list'],
    ['state.latch.byRule?.set(rule, 1)', 'a method that changes a map'],
    ['Object.assign(state.latch, { halted: true })', 'Object.assign'],
    ['const { latch } = state; latch.halted = true', 'a name taken from the state'],
    ['const { latch: l } = state; l.halted = true', 'another name for it'],
    ['const held = state.latch.held; held.push(1)', 'a name of a field'],
    ['if (ready) { const held = state.latch; held.a = () => { held.b = 1 } }', 'a name in a block', 2],
  ])('is refused outside its owner: %s (%s)', (text, _what, times = 1) => {
    const inFunction = `export function f(state: EngineState) { ${text} }`
    expect(writes('src/engine/orders/a.ts', inFunction)).toEqual(Array.from({ length: times }, () => LATCH))
    expect(writes('src/risk/rules/a.ts', inFunction)).toEqual([])
  })

  test.each([
    'export const f = (transition: Transition) => { transition.state.latch.halted = true }',
    'export function f({ state }: Transition) { state.latch = next }',
    'export function f({ state: { latch } }: Transition) { latch.halted = true }',
    'export function f({ latch }: EngineState, on = true) { latch.halted = on }',
    'export function f(latch: Latch) { latch.halted = true }',
    'export function f(t: Transition) { const { state } = t; return () => { state.latch = next } }',
  ])('is followed from a transition, a parameter or the type of the slice: %s', (text) => {
    expect(writes('src/engine/orders/a.ts', text)).toEqual([LATCH])
  })

  test('is followed from the name transition where its type does not stand beside it', () => {
    const text =
      'let transition = begin(); export function f() { const { state } = transition; state.now = 1 }'
    expect(writes('src/engine/engine.ts', text)).toEqual([])
    expect(writes('src/engine/orders/a.ts', text)).toHaveLength(1)
  })

  test('is allowed in each path of the row, of which one may be a file, and not in paths with the same beginning', () => {
    const text = 'export function f(state: EngineState) { state.now = 1; state.flow.size = 2 }'
    const now = 'writes state.now, which is written in engine/engine.ts only'
    const flow = 'writes state.flow, which is written in ledger, engine/accounting only'
    expect(writes('src/engine/engine.ts', text)).toEqual([flow])
    expect(writes('src/engine/accounting/a.ts', text)).toEqual([now])
    expect(writes('src/ledger-view/a.ts', text)).toEqual([now, flow])
  })

  test.each([
    'export function f(state: EngineState) { return state.latch.halted === true }',
    'export function f(state: EngineState) { const copy = [...state.latch.held]; copy.push(1) }',
    'export function f(state: EngineState) { const other = { latch: 1 }; other.latch = state.latch }',
    'export function f(state: WithdrawalState) { state.latch = 1 }',
    'export function f(state: EngineState) { return (state: Other) => { state.latch = 1 } }',
    'export function f({ latch }: Settings) { latch.halted = true }',
  ])('is not seen in: %s', (text) => {
    expect(writes('src/engine/orders/a.ts', text)).toEqual([])
  })
})
