import { describe, expect, test } from 'vitest'
import {
  parameterChangesOf,
  parameterFields,
} from '../../../../../src/daemon/console/page/actions/parameter-fields.ts'
import {
  actionsFor,
  bookableGap,
  withdrawalActions,
} from '../../../../../src/daemon/console/page/actions/actions-for.ts'
import { exampleView } from '../../telemetry/example-view.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    halfSpreadBps: { type: 'number', minimum: 10, maximum: 500, description: 'on target' },
    levels: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    isBold: { type: 'boolean' },
    mood: { enum: ['calm', 'eager'], type: 'string' },
    inner: { type: 'object', properties: { gamma: { type: 'number' } } },
    windows: { type: 'array' },
    optional: { type: 'number' },
  },
  required: ['halfSpreadBps'],
}
const PARAMS = {
  halfSpreadBps: 60,
  levels: 3,
  isBold: false,
  mood: 'calm',
  inner: { gamma: 0.1 },
  windows: [1],
}

describe('the form for parameters', () => {
  const fields = parameterFields(SCHEMA, PARAMS)
  const texts = Object.fromEntries(fields.map(({ path, text }) => [path, text]))

  test('has a field of the right kind for each, with its bounds, and JSON for what is no plain value', () => {
    expect(fields.map(({ path, kind, text }) => [path, kind, text])).toEqual([
      ['halfSpreadBps', 'number', '60'],
      ['levels', 'number', '3'],
      ['isBold', 'boolean', 'false'],
      ['mood', 'choice', 'calm'],
      ['inner.gamma', 'number', '0.1'],
      ['windows', 'json', '[\n  1\n]'],
      ['optional', 'number', ''],
    ])
    expect(fields[0]).toMatchObject({ min: 10, max: 500, note: 'on target; 10 to 500', isRequired: true })
    expect(fields[1]).toMatchObject({ isInteger: true, min: 1, max: null, note: 'at least 1' })
    expect(fields.at(-1)).toMatchObject({ isRequired: false })
  })

  test('sends what was changed and nothing else', () => {
    expect(parameterChangesOf(fields, texts)).toEqual({ ok: false, error: 'No value was changed.' })
    const changed = { ...texts, halfSpreadBps: '62.5', isBold: 'true', 'inner.gamma': '0.2', windows: '[]' }
    expect(parameterChangesOf(fields, changed)).toEqual({
      ok: true,
      value: {
        'strategy.params.halfSpreadBps': 62.5,
        'strategy.params.isBold': true,
        'strategy.params.inner.gamma': 0.2,
        'strategy.params.windows': [],
      },
    })
  })

  test('says which field cannot be sent', () => {
    expect(parameterChangesOf(fields, { ...texts, windows: '[1,' })).toMatchObject({
      error: 'windows: this is not JSON',
    })
    expect(parameterChangesOf(fields, { ...texts, halfSpreadBps: ' ' })).toMatchObject({
      error: 'halfSpreadBps: a value is required',
    })
  })

  test('is made of the values alone where there is no schema', () => {
    expect(parameterFields(null, { a: 1, b: 'x', c: null }).map(({ kind }) => kind)).toEqual([
      'number',
      'text',
      'json',
    ])
    expect(parameterFields(null, null)).toEqual([])
  })
})

test('only what makes sense now is offered: no pause while halted, no activation of a wallet', () => {
  const names = (changes: Parameters<typeof exampleView>[0]) =>
    actionsFor(exampleView(changes)).map(({ name }) => name)
  expect(names({})).toEqual(['pause', 'deactivate', 'reload', 'halt'])
  expect(names({ tradingState: 'HALTED', isActive: false })).toEqual(['resume', 'reload'])
  expect(names({ paused: true, isActive: false })).toEqual(['resume', 'activate', 'reload', 'halt'])
  const waits = { tradingState: 'REDUCING', pendingMid: '2650' } as const
  expect(names(waits)).toEqual(['pause', 'resume', 'acceptMid', 'deactivate', 'reload', 'halt'])
})

test('a withdrawal can be approved while it waits, cancelled until it leaves, and not taken back afterwards', () => {
  const names = (stage: Parameters<typeof withdrawalActions>[0]['stage']) =>
    withdrawalActions({ stage, heldAt: null }).map(({ name }) => name)
  expect(names('waiting')).toEqual(['approveWithdrawal', 'cancelWithdrawal'])
  expect(names('approved')).toEqual(['cancelWithdrawal'])
  expect([...names('sent'), ...names('unknown')]).toEqual([])
})

test('a difference can be booked once it is confirmed, not while the ledger is pending', () => {
  const gapOf = (state: 'pending' | 'break') => {
    const { reconciliation } = exampleView()
    const difference = { USDC: '-0.5', NTZS: '12' }
    return bookableGap(exampleView({ reconciliation: { ...reconciliation, state, difference } }))
  }
  expect(gapOf('pending')).toBe('')
  expect(gapOf('break')).toBe('-0.5 USDC, 12 NTZS')
  expect(bookableGap(exampleView())).toBe('')
})

test('a description that names its range is not followed by it', () => {
  const noteOf = (description: string) =>
    parameterFields(
      { properties: { a: { type: 'number', minimum: 1, maximum: 2, description } } },
      { a: 1 },
    )[0]?.note
  expect(noteOf('size, 1..2')).toBe('size, 1..2')
  expect(noteOf('size')).toBe('size; 1 to 2')
})
