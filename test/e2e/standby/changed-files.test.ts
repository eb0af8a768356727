import { expect, test } from 'vitest'
import { until } from '../daemon/until.ts'
import { besidePostgres } from './beside-postgres.ts'
import { quotes, sharedDesk, type SharedDesk, standsBy } from './shared-desk.ts'

// The files of a standby change while it waits: real processes, a real PostgreSQL.

const CLOSER = { strategy: { use: 'fixed-spread', params: { bidBps: 45, askBps: 55 } } }

besidePostgres('A standby whose files change while it waits', (databaseUrl) => {
  test('quotes as its file has it at the take-over, with what a person had set on the other; one whose file is broken by then sends the safe quote and ends with 2', async () => {
    const desk = await sharedDesk(databaseUrl(), 'desk-1', { quote: { safeBps: 400 } })
    const first = desk.start('a')
    await quotes(first)
    const second = desk.start('b')
    await standsBy(second)
    desk.reconfigure('b', CLOSER)
    const set = await first.post('reload', { changes: { 'strategy.params.bidBps': 47 } })
    expect(set).toMatchObject({ status: 200, body: { accepted: true } })
    await first.kill('SIGKILL')
    await quotes(second)
    expect(await quoteOf(desk)).toBe('47 55')

    const third = desk.start('a')
    await standsBy(third)
    desk.reconfigure('a', { risk: { maxMidStepsBps: 1 } })
    await until('it is reported while it stands by', () =>
      third.output().includes('after a take-over this daemon would not trade'),
    )
    expect(third.output()).toContain('maxMidStepsBps')
    third.child.kill('SIGHUP')
    await second.kill('SIGTERM')
    expect(await third.exit).toEqual({ code: 2, signal: null })
    expect(await quoteOf(desk)).toBe('400 400')
    expect(third.errors()).toContain('does not trade')
    await desk.close()
  })
})

async function quoteOf({ venue }: SharedDesk): Promise<string> {
  const answer = await fetch(`${venue.url}/sandbox/state`)
  const { quote } = (await answer.json()) as { quote: { bidBps: number; askBps: number } }
  return `${quote.bidBps} ${quote.askBps}`
}
