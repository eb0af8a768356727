import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { HTTP_TOKEN, type RunningDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { besidePostgres } from './beside-postgres.ts'
import { quotes, sharedDesk, standsBy } from './shared-desk.ts'

// What moves money or capital is under way when its daemon dies: the venue has done it, and no one was notified.

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const SETTLED_MS = 2_000

async function isActive(daemon: RunningDaemon, wanted: boolean): Promise<void> {
  await until(`the position is ${wanted ? '' : 'not '}active`, async () => {
    const { status, body } = await daemon.get('/api/v1/state')
    return status === 200 && (body as { readonly isActive?: boolean | null }).isActive === wanted
  })
}

/** No one hears what became of it. */
async function withdraw(daemon: RunningDaemon): Promise<void> {
  const body = { asset: 'USDC', amount: '5', toAddress: WALLET, why: 'a test' }
  const headers = {
    authorization: `Bearer ${HTTP_TOKEN}`,
    'content-type': 'application/json',
    'idempotency-key': 'one',
  }
  const url = `${await daemon.url()}/api/v1/withdraw`
  await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => undefined)
}

/** The kill comes once the venue has it and before anyone could have received the answer. */
async function killed(daemon: RunningDaemon): Promise<void> {
  await pause(300)
  await daemon.kill('SIGKILL')
}

besidePostgres('A daemon that takes over', (databaseUrl) => {
  test('repeats no withdrawal and no change of the market that the one before had sent', async () => {
    const desk = await sharedDesk(databaseUrl(), 'desk-9', {
      withdraw: { enabled: true, destinations: [WALLET], maxPerDay: { USDC: 100 } },
    })
    const sent = (path: string) => desk.writes.filter(({ route }) => route.endsWith(path)).length
    const first = desk.start('a')
    await quotes(first)
    const second = desk.start('b')
    await standsBy(second)
    expect((await first.post('deactivate', { why: 'a test', now: true })).status).toBe(200)
    await isActive(first, false)

    desk.swallow('a', '/withdraw')
    const ours = () => desk.venue.model.state.ours.wallet.USDC + desk.venue.model.state.ours.pool.USDC
    const before = ours()
    void withdraw(first)
    await until('the venue has the withdrawal', () => sent('/withdraw') === 1)
    await killed(first)
    await isActive(second, false)
    await pause(SETTLED_MS)
    expect(sent('/withdraw')).toBe(1)
    expect(ours()).toBe(before - 5_000_000n)
    // What became of it the balances show.
    await until('the books agree', async () => (await second.state()).reconciliation.state === 'reconciled')

    const third = desk.start('a')
    await standsBy(third)
    const activations = sent('/activate')
    desk.swallow('b', '/activate')
    let answered: unknown = 'not answered'
    second.post('activate', { why: 'a test' }).then(
      (answer) => (answered = answer),
      (error: unknown) => (answered = error),
    )
    await until('the venue has the activation', () => sent('/activate') === activations + 1, {
      otherwise: async () => ({
        answered,
        said: second.output().slice(-3_000),
        state: await second.get('/readyz'),
      }),
    })
    await killed(second)
    await isActive(third, true)
    await quotes(third)
    await pause(SETTLED_MS)
    expect(sent('/activate')).toBe(activations + 1)
    await third.kill('SIGTERM')
    await desk.close()
  })
})
