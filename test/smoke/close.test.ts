import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CloseDocument } from '../../src/research/close/document/document.ts'
import { zonedDayText } from '../../src/research/close/document/day-span.ts'
import { openMarket } from '../e2e/daemon/open-market.ts'
import { runMizani } from '../e2e/daemon/run-mizani.ts'
import { until } from '../e2e/daemon/until.ts'
import { newKey } from '../e2e/close/keys.ts'
import { needs } from '../support/needs.ts'

/** Midnight is at least twelve hours away in this zone, so that the test does not run into the next day. */
const ZONE = new Date().getUTCHours() < 12 ? 'UTC' : 'Etc/GMT+12'

test.skipIf(needs('ssh-keygen'))(
  '`mizani close` writes and signs every fill that a daemon has booked, and `mizani verify-close` accepts the folder until a byte of it changes',
  async () => {
    await using market = await openMarket(
      {},
      {
        strategy: { use: 'fixed-spread', params: { bidBps: 40, askBps: 45 } },
        close: { timezone: ZONE },
      },
    )
    const { model } = market.venue
    const daemon = market.start()
    await market.quoted(40, 45)
    await until('the venue has two fills of ours', () => {
      model.swap({ from: 'USDC', to: 'NTZS', amountIn: 25_000_001n })
      return model.book().ours.fills.length >= 2
    })
    const ids = model.book().ours.fills.map(({ id }) => id)
    await until('they are booked', async () => (await daemon.state()).fills.total === ids.length)
    await daemon.kill('SIGTERM')

    const closes = join(market.folder.path, 'closes')
    const { path: key, publicKey } = newKey()
    const signers = join(market.folder.path, 'signers')
    writeFileSync(signers, `amina namespaces="mizani-close" ${publicKey}\n`)
    const close = ['close', '--config', market.config, '--day', 'today', '--out', closes, '--key', key]
    expect(await runMizani(close)).toMatchObject({ code: 0 })
    expect(await runMizani(['verify-close', closes, '--signers', signers])).toMatchObject({ code: 0 })
    const file = join(closes, `${zonedDayText(Date.now(), ZONE)}.json`)
    const text = readFileSync(file, 'utf8')
    expect((JSON.parse(text) as CloseDocument).fills.map(({ id }) => id)).toEqual(ids)
    writeFileSync(file, text.replace('25.000001', '25.000002'))
    expect(await runMizani(['verify-close', closes])).toMatchObject({ code: 1 })
  },
  300_000,
)
