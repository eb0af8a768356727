import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { FillAnswerRow } from '../../../../../src/daemon/console/answers.ts'
import { fillsCsv } from '../../../../../src/daemon/console/page/book/fills-panel.tsx'
import { HELP, HELP_PAGES } from '../../../../../src/daemon/console/page/help.ts'

const PAGE = fileURLToPath(new URL('../../../../../src/daemon/console/page', import.meta.url))

test('every panel explains itself', () => {
  const sources = readdirSync(PAGE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => readFileSync(join(PAGE, file), 'utf8'))
  const ids = sources.flatMap((text) =>
    Array.from(text.matchAll(/<(?:Panel|Help)\s+id="([^"]+)"/g), ([, id = '']) => id),
  )
  expect(ids.length).toBeGreaterThan(20)
  expect(Object.keys(HELP).toSorted()).toEqual([...new Set(ids)].toSorted())
})

test('the explanations lead to pages that exist', () => {
  const docs = new Set(readdirSync(join(PAGE, '../../../../docs')))
  expect(Object.values(HELP_PAGES).filter((page) => !docs.has(`${page}.md`))).toEqual([])
  expect(Object.keys(HELP_PAGES).filter((id) => HELP[id] === undefined)).toEqual([])
})

describe('fills as CSV', () => {
  const fill: FillAnswerRow = {
    id: 'a,"b"',
    at: Date.UTC(2026, 10, 30, 8, 1, 2, 3),
    side: 'ask',
    amountIn: '10.5',
    inAsset: 'USDC',
    amountOut: '26000.000000000000000001',
    outAsset: 'NTZS',
    usd: 10.5,
    edgeBps: -1.25,
    markoutBps: { m5: null, h1: 2, d1: null },
    formula: '=HYPERLINK("x")',
    txHash: null,
  }

  test('have exact amounts, quoted texts, and none that a spreadsheet would run', () => {
    const [heading, row, end] = fillsCsv([fill]).split('\r\n')
    expect(heading).toMatch(/^at,side,amountIn,inAsset,amountOut,outAsset,usd,spreadCaptureBps,.*,id,txHash$/)
    expect(row).toBe(
      '2026-11-30T08:01:02.003Z,ask,10.5,USDC,26000.000000000000000001,NTZS,10.5,-1.25,,2,,"\'=HYPERLINK(""x"")","a,""b""",',
    )
    expect(end).toBe('')
    expect(heading?.split(',')).toHaveLength(14)
  })
})
