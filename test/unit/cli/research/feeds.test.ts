import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { feeds } from '../../../../src/cli/research/feeds.ts'
import { isFeedDoubtful, judgementText } from '../../../../src/daemon/view/position-text.ts'
import { runCommand } from '../../../support/run-command.ts'
import { TWO_FEEDS } from '../../daemon/telemetry/example-view.ts'

const TAPE = 'examples/devaluation-fortnight'

describe('mizani feeds', () => {
  test('judges the references of a tape with intervals, as JSON too', async () => {
    const { text, exitCode } = await runCommand(() => feeds({ tape: TAPE, json: true }))
    expect(exitCode).toBeUndefined()
    const { note, feeds: shown } = JSON.parse(text) as {
      note: null
      feeds: { name: string; status: null; judgement: Record<'offsetBps', { low: number; high: number }> }[]
    }
    expect(note).toBeNull()
    expect(shown).toMatchObject([{ name: 'bank-board', status: null }])
    const { low, high } = shown[0]!.judgement.offsetBps
    expect(low).toBeLessThan(high)
    const lines = await runCommand(() => feeds({ tape: TAPE }))
    expect(lines.text).toContain('bank-board')
  })

  test('shows a feed that no update followed as unknown', async () => {
    const to = Date.UTC(2026, 9, 12, 12)
    const { text } = await runCommand(() => feeds({ tape: TAPE, to }))
    expect(text).toMatch(/^bank-board +unknown/)
  })

  test('fails where there is nothing to judge, and without a place to read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mizani-feeds-'))
    const empty = join(folder, 'empty.jsonl')
    writeFileSync(empty, '')
    expect(await runCommand(() => feeds({ tape: empty }))).toMatchObject({ exitCode: 1 })
    expect(await runCommand(() => feeds({}))).toMatchObject({ exitCode: 2 })
    expect(await runCommand(() => feeds({ config: join(folder, 'missing.yaml') }))).toMatchObject({
      exitCode: 2,
    })
  })
})

test('a judgement is one line with offset, interval and updates; an absent one is not judged', () => {
  const [bank, desk] = TWO_FEEDS.feeds
  expect(judgementText(bank!.judgement)).toBe('+57 bps off (+46 to +69) after 15 updates: biased')
  expect(isFeedDoubtful(bank!.judgement)).toBe(true)
  expect(judgementText(desk!.judgement)).toBe('not judged yet')
  expect(isFeedDoubtful(desk!.judgement)).toBe(false)
})
