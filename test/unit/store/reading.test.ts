import { describe, expect, test } from 'vitest'
import { exportRows, type ExportFormat } from '../../../src/store/export/export-rows.ts'
import type { ExportKind } from '../../../src/store/export/kinds.ts'
import type { Observation } from '../../../src/core/engine/model/observation.ts'
import { EXPORT_TABLES } from '../../../src/store/export/tables.ts'
import { openReader } from '../../../src/store/open-reader.ts'
import { openStore } from '../../../src/store/journal/open-store.ts'
import { StoreReadError } from '../../../src/store/failure.ts'
import {
  appendTicks,
  durable,
  entryPosted,
  errorOf,
  fillPosted,
  freshFolder,
  midChanged,
  openFresh,
  openHere,
  tamper,
  tick,
  valueOf,
} from './store-fixture.ts'

async function sample(folder: string): Promise<void> {
  const store = valueOf(await openHere(folder))
  appendTicks(store, 1, 2)
  store.project(1, [
    fillPosted('f-1'),
    entryPosted(1),
    {
      type: 'quoteConfirmed',
      t: 1_700_000_002_000,
      spread: {
        bidBps: 60,
        askBps: 70,
        quoteBid: true,
        quoteAsk: false,
        quotePairs: ['NTZS/USDC', 'NTZS/USDT'],
      },
      by: 'patch',
    },
  ])
  store.project(2, [
    fillPosted('f,"2"', {
      side: 'bid',
      inAsset: 'NTZS',
      outAsset: 'USDT.bnb',
      txHash: null,
      createdAt: null,
      earnedText: null,
    }),
    midChanged(1_700_000_003_000),
  ])
  await store.close()
}

async function exported(folder: string, what: ExportKind, format: ExportFormat): Promise<string> {
  const reader = valueOf(openReader(folder))
  let text = ''
  const count = valueOf(await exportRows(reader, what, format, (piece) => void (text += piece)))
  reader.close()
  expect(text.split('\n').length).toBeGreaterThan(count)
  return text
}

/** RFC 4180, read the slow way. */
function parseCsv(text: string): string[][] {
  const fields = [...text.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n)/g)]
  const rows: string[][] = [[]]
  for (const [, field = '', end] of fields) {
    rows.at(-1)?.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field)
    if (end === '\r\n') rows.push([])
  }
  return rows.slice(0, -1)
}

describe('a reader', () => {
  test('says clearly that there is no store', () => {
    const folder = freshFolder()
    expect(errorOf(openReader(folder)).message).toContain(`no store in ${folder}`)
    tamper(folder, 'CREATE TABLE other (x)')
    expect(errorOf(openReader(folder))).toMatchObject({ kind: 'io' })
  })

  test('refuses a newer store and a file that is not a store', async () => {
    const newer = freshFolder()
    await sample(newer)
    tamper(newer, 'PRAGMA user_version = 7')
    expect(errorOf(openReader(newer)).kind).toBe('newer-version')
    const broken = freshFolder()
    const { writeFileSync } = await import('node:fs')
    writeFileSync(`${broken}/mizani.db`, 'no database '.repeat(1_000))
    expect(errorOf(openReader(broken)).kind).toBe('corrupt')
  })

  test('follows a daemon that is writing, and sees only what is durable', async () => {
    const folder = freshFolder()
    const store = valueOf(await openStore(folder))
    const reader = valueOf(openReader(folder))
    expect([reader.lastSeq(), reader.firstSeq(), reader.latestSnapshot()]).toEqual([0, 0, null])
    for (let turn = 0; turn < 10; turn++) {
      const last = (turn + 1) * 100
      appendTicks(store, turn * 100 + 1, last)
      expect(reader.lastSeq()).toBeLessThanOrEqual(last)
      await durable(store, last)
      expect([...reader.journal(last - 99)].map(({ seq }) => seq).at(-1)).toBe(last)
    }
    for (const seq of [300, 600]) store.saveSnapshot({ seq, t: seq, state: '{}', digest: `${seq}` })
    store.saveSuspension({ seq: 900, reason: 'hung' })
    await store.prune(250)
    expect([reader.firstSeq(), reader.oldestSnapshot()?.seq, reader.latestSnapshot()?.seq]).toEqual([
      250, 300, 600,
    ])
    expect(reader.suspensions()).toEqual([{ seq: 900, reason: 'hung' }])
    expect([...reader.journal(250)]).toHaveLength(751)
    await store.close()
    expect(reader.lastSeq()).toBe(1_000)
    reader.close()
  })

  test('works when no daemon runs', async () => {
    const folder = freshFolder()
    await sample(folder)
    const reader = valueOf(openReader(folder))
    expect([...reader.journal(1)]).toEqual([
      { seq: 1, event: tick(1) },
      { seq: 2, event: tick(2) },
    ])
    expect([...reader.journal(3)]).toEqual([])
    reader.close()
    expect(() => reader.lastSeq()).toThrow(StoreReadError)
  })

  test.each([
    ['a hole', 'DELETE FROM journal WHERE seq = 3', 'corrupt', 'event 3 is missing'],
    ['a cut-off event', "UPDATE journal SET body = '{' WHERE seq = 3", 'corrupt', 'event 3 does not parse'],
    ['what retention dropped', 'DELETE FROM journal WHERE seq < 4', 'io', 'keeps events from 4 on'],
  ])('stops at %s and says what it is', async (_what, sql, kind, message) => {
    const { folder, store } = await openFresh(5)
    await store.close()
    tamper(folder, sql)
    const reader = valueOf(openReader(folder))
    let caught: unknown
    try {
      for (const record of reader.journal(1)) expect(record.seq).toBeLessThan(3)
    } catch (error) {
      caught = error
    }
    reader.close()
    expect(caught).toBeInstanceOf(StoreReadError)
    expect((caught as StoreReadError).failure.kind).toBe(kind)
    expect((caught as StoreReadError).message).toContain(message)
  })
})

const ORDER_T = 1_700_000_000_000
const SALT = 1_783_959_552_000_000_000_000n
const CHAIN_FILL = {
  key: '0xbb:1',
  salt: SALT,
  orderHash: '0xaa',
  block: 12n,
  txHash: '0xbb',
  makerToken: '0x01',
  takerToken: '0x02',
  makerAmount: 10n ** 18n + 1n,
  takerAmount: 400n,
} as const
const ORDER_STEPS: readonly Observation[] = [
  {
    type: 'orderReserved',
    t: ORDER_T,
    salt: SALT,
    side: 'ask',
    stable: 'USDC',
    usd: 2_005n * 10n ** 17n,
    priceTzs: 2_587n * 10n ** 18n,
    expiry: ORDER_T + 120_000,
  },
  { type: 'orderWithheld', t: ORDER_T, salt: SALT, why: 'it was halted' },
  { type: 'orderPlaced', t: ORDER_T, salt: SALT, hash: '0xaa' },
  {
    type: 'orderRejected',
    t: ORDER_T,
    salt: SALT,
    stage: 'sign',
    code: 'SIGN_FAILED',
    isVoid: true,
    message: 'no, "never"',
  },
  { type: 'alert', t: ORDER_T, severity: 'info', code: 'x', message: 'something else' },
  { type: 'orderFilled', t: ORDER_T, salt: SALT, fill: CHAIN_FILL, isWhole: false },
  { type: 'orderFillUndone', t: ORDER_T, fill: CHAIN_FILL },
  { type: 'cancelSent', t: ORDER_T, salts: [SALT, 8n], how: 'pair', txHash: '0xcc', why: 'the mid moved' },
  { type: 'orderResolved', t: ORDER_T, salt: SALT, how: 'expired' },
]

describe('an export', () => {
  test('of fills has the venue id, exact decimals and ISO times', async () => {
    const folder = freshFolder()
    await sample(folder)
    const lines = (await exported(folder, 'fills', 'jsonl')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        id: 'f-1',
        side: 'ask',
        inAsset: 'USDC',
        amountIn: '12.345678',
        outAsset: 'NTZS',
        amountOut: '32100.000000000000000001',
        fee: '32.1',
        feeSource: 'computed',
        midAtFill: '2612.34',
        formula: 'ask',
        volumeUsd: '12.345678',
        earned: '1.25',
        txHash: '0xabc',
        createdAt: '2023-11-14T22:13:20.000Z',
        postedAt: '2023-11-14T22:13:21.500Z',
        seq: 1,
        raw: '{"id":"f-1","note":"a \\"quoted\\", line"}',
      },
      expect.objectContaining({
        id: 'f,"2"',
        amountIn: '12.345678',
        txHash: null,
        createdAt: null,
      }),
    ])
  })

  test('as CSV reads back field by field, whatever stands in it', async () => {
    const folder = freshFolder()
    await sample(folder)
    const [header, first, second] = parseCsv(await exported(folder, 'fills', 'csv'))
    expect(header).toEqual(EXPORT_TABLES.fills.columns)
    expect(first?.[0]).toBe('f-1')
    expect(first?.at(-1)).toBe('{"id":"f-1","note":"a \\"quoted\\", line"}')
    expect(second?.slice(0, 4)).toEqual(['f,"2"', 'bid', 'NTZS', '12.345678'])
    expect(second?.[header?.indexOf('txHash') ?? -1]).toBe('')
  })

  test.each([
    ['=HYPERLINK("http://evil.example")', '\'=HYPERLINK("http://evil.example")'],
    ['+1+cmd|x', "'+1+cmd|x"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['-2+3', "'-2+3"],
    ['\t=1', "'\t=1"],
    ['-12.5', '-12.5'],
    ['f-1', 'f-1'],
  ])('as CSV a text of the venue such as %j is no formula of a spreadsheet', async (id, cell) => {
    const { folder, store } = await openFresh(1)
    store.project(1, [fillPosted(id)])
    await durable(store, 1)
    await store.close()
    const [, row] = parseCsv(await exported(folder, 'fills', 'csv'))
    expect(row?.[0]).toBe(cell)
    const [json] = (await exported(folder, 'fills', 'jsonl')).split('\n')
    expect(JSON.parse(json ?? '')).toMatchObject({ id })
  })

  test('of the ledger has a row a posting; of quotes and rates what was confirmed', async () => {
    const folder = freshFolder()
    await sample(folder)
    expect(await exported(folder, 'ledger', 'csv')).toBe(
      'entry,at,kind,reason,fillId,account,asset,amount,seq\r\n' +
        '1,2023-11-14T22:13:21.500Z,fill,ask,f-1,pool,USDC,12.345678,1\r\n' +
        '1,2023-11-14T22:13:21.500Z,fill,ask,f-1,trading,USDC,-12.345678,1\r\n',
    )
    expect(await exported(folder, 'quotes', 'csv')).toBe(
      'at,bidBps,askBps,quoteBid,quoteAsk,quotePairs,confirmedBy,seq\r\n' +
        '2023-11-14T22:13:22.000Z,60,70,true,false,NTZS/USDC NTZS/USDT,patch,1\r\n',
    )
    expect(await exported(folder, 'rates', 'jsonl')).toBe(
      '{"at":"2023-11-14T22:13:23.000Z","mid":"2612.34","rateUpdatedAt":null,"source":"key","seq":2}\n',
    )
  })

  test('of orders has a row a step, each with what that step says, and nothing else that was noticed', async () => {
    const { folder, store } = await openFresh(1)
    store.project(1, ORDER_STEPS)
    await store.close()
    const [header, ...rows] = parseCsv(await exported(folder, 'orders', 'csv'))
    const stated = rows.map((row) =>
      row.flatMap((value, at) => (value === '' ? [] : [`${header?.[at]}=${value}`])).join(' '),
    )
    const step = 'at=2023-11-14T22:13:20.000Z event='
    const salt = 'salt=1783959552000000000000'
    const fill =
      'hash=0xaa txHash=0xbb block=12 makerToken=0x01 makerAmount=1000000000000000001 takerToken=0x02 takerAmount=400'
    expect(stated).toEqual([
      `${step}orderReserved ${salt} side=ask stable=USDC usd=200.5 priceTzs=2587 expiresAt=2023-11-14T22:15:20.000Z seq=1`,
      `${step}orderWithheld ${salt} why=it was halted seq=1`,
      `${step}orderPlaced ${salt} hash=0xaa seq=1`,
      `${step}orderRejected ${salt} how=sign, void code=SIGN_FAILED why=no, "never" seq=1`,
      `${step}orderFilled ${salt} ${fill} how=part seq=1`,
      `${step}orderFillUndone ${salt} ${fill} seq=1`,
      `${step}cancelSent ${salt} 8 txHash=0xcc how=pair why=the mid moved seq=1`,
      `${step}orderResolved ${salt} how=expired seq=1`,
    ])
    const [json = ''] = (await exported(folder, 'orders', 'jsonl')).split('\n')
    expect(Object.keys(JSON.parse(json) as object)).toEqual(header)
  })

  test('streams: many rows come in pieces, in order, each awaited', async () => {
    const folder = freshFolder()
    const store = valueOf(await openHere(folder, { maxBacklog: 10_000 }))
    for (let seq = 1; seq <= 3_000; seq++) {
      store.append(seq, tick(seq))
      store.project(seq, [midChanged(seq), midChanged(seq + 1)])
    }
    await store.close()
    const reader = valueOf(openReader(folder))
    const pieces: string[] = []
    let writing = false
    const count = await exportRows(reader, 'rates', 'jsonl', async (piece) => {
      expect(writing).toBe(false)
      writing = true
      await Promise.resolve()
      writing = false
      pieces.push(piece)
    })
    reader.close()
    expect(count).toEqual({ ok: true, value: 6_000 })
    expect(pieces.length).toBeGreaterThan(3)
    const lines = pieces.join('').trimEnd().split('\n')
    const seqs = lines.map((line) => (JSON.parse(line) as { seq: number }).seq)
    expect(seqs).toEqual(Array.from({ length: 6_000 }, (_, i) => Math.floor(i / 2) + 1))
  })

  test('an empty table is a header in CSV and nothing in JSON lines', async () => {
    const folder = freshFolder()
    await valueOf(await openHere(folder)).close()
    const reader = valueOf(openReader(folder))
    const pieces: string[] = []
    for (const format of ['csv', 'jsonl'] as const) {
      await exportRows(reader, 'rates', format, (piece) => void pieces.push(piece))
    }
    reader.close()
    expect(pieces).toEqual(['at,mid,rateUpdatedAt,source,seq\r\n'])
  })

  test('a time that no calendar has is shown as the number it is', async () => {
    const { folder, store } = await openFresh(1)
    store.project(1, [fillPosted('f', { createdAt: 9e15 })])
    await store.close()
    expect(JSON.parse(await exported(folder, 'fills', 'jsonl'))).toMatchObject({
      createdAt: '9000000000000000',
    })
  })

  test('of a damaged table is a failure; what the writer throws is its own', async () => {
    const folder = freshFolder()
    await sample(folder)
    tamper(folder, "UPDATE rates SET mid = 'much'")
    const reader = valueOf(openReader(folder))
    expect(await exportRows(reader, 'rates', 'csv', () => undefined)).toMatchObject({
      ok: false,
      error: { kind: 'corrupt' },
    })
    const broken = () => {
      throw new Error('EPIPE')
    }
    await expect(exportRows(reader, 'quotes', 'csv', broken)).rejects.toThrow('EPIPE')
    reader.close()
  })
})
