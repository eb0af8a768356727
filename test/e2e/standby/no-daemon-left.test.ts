import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { announce } from '../../../src/store/postgres/fence.ts'
import { besidePostgres } from './beside-postgres.ts'
import { quotes, sharedDesk, standsBy, type SharedDesk } from './shared-desk.ts'

/** The two sides that the venue quotes for us. */
async function quoted(desk: SharedDesk): Promise<readonly [bid: number, ask: number]> {
  const answer = await fetch(`${desk.venue.url}/sandbox/state`)
  const { quote } = (await answer.json()) as { quote: { bidBps: number; askBps: number } }
  return [quote.bidBps, quote.askBps]
}

const SAFE_BPS = 450

besidePostgres('A holder that ends as its standby does', (databaseUrl) => {
  const pair = async (name: string) => {
    const desk = await sharedDesk(databaseUrl(), name, { quote: { safeBps: SAFE_BPS } })
    const holder = desk.start('a')
    await quotes(holder)
    const standby = desk.start('b')
    await standsBy(standby)
    expect(await quoted(desk)).not.toContain(SAFE_BPS)
    return { desk, holder, standby }
  }

  test('leaves the safe quote where both get SIGTERM at once', async () => {
    const { desk, holder, standby } = await pair('left-1')
    const ended = await Promise.all([holder.kill('SIGTERM'), standby.kill('SIGTERM')])
    expect(ended.map(({ code }) => code)).toEqual([0, 0])
    expect(await quoted(desk)).toEqual([SAFE_BPS, SAFE_BPS])
    expect(holder.output()).toMatch(/widened .* confirmed/)
    await desk.close()
  })

  test('leaves the safe quote where its standby was killed a second before', async () => {
    const { desk, holder, standby } = await pair('left-2')
    await standby.kill('SIGKILL')
    await pause(1_000)
    expect(await holder.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(await quoted(desk)).toEqual([SAFE_BPS, SAFE_BPS])
    expect(holder.output()).toMatch(/widened .* confirmed/)
    await desk.close()
  })

  test('takes the position back where the one that stood by never takes it, and leaves the safe quote', async () => {
    const desk = await sharedDesk(databaseUrl(), 'left-3', { quote: { safeBps: SAFE_BPS } })
    const holder = desk.start('a')
    await quotes(holder)
    const stop = await announcing(databaseUrl(), 'left-3')
    expect(await holder.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    await stop()
    expect(await quoted(desk)).toEqual([SAFE_BPS, SAFE_BPS])
    // A machine that is busy may not see the counter move in time: then it does not let go at all.
    expect(holder.output()).toMatch(/widened .* confirmed/)
    await desk.close()
  })
})

/** A daemon that announces itself as one that stands by and does nothing else, until the returned function is called. */
async function announcing(databaseUrl: string, position: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const place = { url: databaseUrl, position, folder: '' }
  const watch = { isOver: false }
  async function announceAgain(): Promise<void> {
    for (; !watch.isOver; await pause(50))
      await client.query(announce(place, 'hanging process 1 on elsewhere'))
  }
  const announced = announceAgain()
  return async () => {
    watch.isOver = true
    await announced
    await client.end()
  }
}
