import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openMarket } from './daemon/open-market.ts'
import { MORNING } from './daemon/position-folder.ts'
import { replayStore } from './daemon/replay-store.ts'
import { endDaemons } from './daemon/running-daemon.ts'
import { until } from './daemon/until.ts'
import { commandsOf, docBlocks } from './docs/doc-blocks.ts'
import { scratchCheckout } from './docs/scratch-checkout.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/going-live.md'), 'utf8')

const checkout = scratchCheckout()

afterAll(async () => {
  await endDaemons()
  await checkout.remove()
})

/** The page's command for a store that is in use, or for one that is not. */
function backupCommand(when: 'running' | 'stopped'): string {
  const [block] = docBlocks(page).filter(({ words }) => words.includes(when))
  if (block === undefined) throw new Error(`the page has no backup of a daemon that is ${when}`)
  const [command = ''] = commandsOf(block)
  return command
}

test('both backups that docs/going-live.md shows are whole: a replay accepts them, and a daemon continues from one', async () => {
  const store = { path: join(checkout.path, 'data/desk-1') }
  await using market = await openMarket(
    { speed: 240, scenario: 'normal', seed: 9, startMs: MORNING },
    { store },
  )
  mkdirSync(join(checkout.path, 'backup'))
  const daemon = market.start()
  await until('some fills', async () => (await daemon.state()).fills.total >= 3, {
    otherwise: () => daemon.state(),
  })

  // In the middle of it, while fills come in.
  expect(await checkout.run(backupCommand('running'))).toMatchObject({ code: 0 })
  const seen = await daemon.state()
  const again = await checkout.run(backupCommand('running'))
  expect([again.code === 0, again.err]).toEqual([false, expect.stringContaining('already exists') as string])
  const hot = await replayStore(market.folder.configure({ store: { path: join(checkout.path, 'backup') } }))
  expect(hot).toMatchObject({ equal: true, warnings: [] })
  expect(hot.to).toBeGreaterThan(10)
  expect(hot.to).toBeLessThanOrEqual(seen.lastSeq)

  await daemon.kill('SIGKILL')
  expect(await checkout.run(backupCommand('stopped'))).toMatchObject({ code: 0 })
  expect(existsSync(join(checkout.path, 'backup/desk-1/mizani.db'))).toBe(true)
  const cold = await replayStore(
    market.folder.configure({ store: { path: join(checkout.path, 'backup/desk-1') } }),
  )
  const original = await replayStore(market.folder.configure({ store }))
  expect([cold.digest, cold.to]).toEqual([original.digest, original.to])
  expect(cold.to).toBeGreaterThanOrEqual(seen.lastSeq)

  // On the new machine: it reads what it missed, and the books agree with the venue's.
  const copy = join(market.folder.path, 'moved')
  cpSync(join(checkout.path, 'backup/desk-1'), copy, { recursive: true })
  market.folder.configure({ store: { path: copy } })
  await using moved = market.start()
  await until(
    'the books are complete',
    async () => (await moved.state()).reconciliation.state === 'reconciled',
    {
      otherwise: () => moved.output(),
    },
  )
  expect((await moved.state()).fills.total).toBeGreaterThanOrEqual(seen.fills.total)
}, 120_000)
