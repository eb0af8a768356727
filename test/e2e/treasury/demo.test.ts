import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import type { PositionView } from '../../../src/daemon/view/position-view.ts'
import type { TreasuryView } from '../../../src/daemon/view/treasury-view.ts'
import { catchProcess } from '../daemon/caught-process.ts'
import { until } from '../daemon/until.ts'
import { readTreasuryEvents } from './open-treasury-market.ts'

const MAIN = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))

describe('mizani start --treasury', () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-treasury-'))
  const children: { kill: (signal: NodeJS.Signals) => unknown }[] = []
  // The usual port of the webhooks is taken: the demonstration takes another one.
  // Anyone who connects to it may be killed while connected.
  const blocker = createServer((socket) => socket.on('error', () => undefined))
    .on('error', () => undefined)
    .listen(9_465, '127.0.0.1')
  const before = process.cwd()
  afterAll(() => {
    process.chdir(before)
    blocker.close()
    for (const child of children) child.kill('SIGKILL')
    // A demonstration that was not ended in good order leaves its venue, for the next start.
    const remembered = join(folder, 'data/demo/venue.json')
    if (existsSync(remembered))
      process.kill((JSON.parse(readFileSync(remembered, 'utf8')) as { pid: number }).pid, 'SIGTERM')
  })

  function start() {
    const child = spawn(process.execPath, [MAIN, 'start', '--treasury'], { cwd: folder })
    children.push(child)
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => (text += data.toString()))
    return { child, text: () => text }
  }

  /** What the console and the command line ask, with the token of one of the two people. */
  function ask<Answer>(text: string, path: string, name: string, body?: object): Promise<Answer> {
    return request(text, `/treasury${path}`, name, body)
  }

  async function request<Answer>(text: string, path: string, name: string, body?: object): Promise<Answer> {
    const url = /console {2}(\S+)/.exec(text)?.[1] ?? ''
    const token = new RegExp(`token {4}${name} +(\\S+)`).exec(text)?.[1] ?? ''
    const answer = await fetch(`${url}/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return (await answer.json()) as Answer
  }

  /** Of each step that ended: whether a webhook named its resource before anything else showed that it had. */
  function endedByWebhook(): readonly boolean[] {
    const remembered = readFileSync(join(folder, 'data/demo/venue.json'), 'utf8')
    const venue = JSON.parse(remembered) as { folder: string }
    const events = readTreasuryEvents(join(venue.folder, 'store'))
    return events.flatMap((event, index) => {
      if (event.type !== 'resourceSeen' || event.status !== 'completed') return []
      const { intent, leg } = event
      const answered = events.find(
        (one) => one.type === 'legAnswered' && one.intent === intent && one.leg === leg,
      )
      const id = answered?.type === 'legAnswered' ? answered.resourceId : null
      return events.slice(0, index).some((one) => one.type === 'webhookSeen' && one.resourceId === id)
    })
  }

  test('refills itself, learns of the end by webhooks, pays out what two people approve, and finds every shilling after kill -9', async () => {
    const first = start()
    await until(
      'the refill has arrived',
      () => /refill [\d,.]+ NTZS over bank-deposit arrived/.test(first.text()),
      {
        withinMs: 170_000,
        otherwise: first.text,
      },
    )
    await ask(first.text(), '/payout', 'amina', {
      position: 'sandbox',
      payee: 'house-bank',
      asset: 'NTZS',
      amount: '500000',
      why: 'profits',
    })
    const intent = await until(
      'the name of the payee was looked up',
      async () => {
        const waiting = await ask<TreasuryView>(first.text(), '?position=sandbox', 'baraka')
        return waiting.intents.find(({ registered }) => registered?.at != null)
      },
      { otherwise: first.text },
    )
    expect(intent.stage).toBe('awaiting_approval')
    expect(intent.registered).toMatchObject({
      name: expect.stringMatching(/^[A-Z]+ [A-Z]+$/),
      changedFrom: null,
    })
    const order = { position: 'sandbox', intent: intent.id, envelope: intent.envelope.text }
    expect(await ask(first.text(), '/approve', 'amina', order)).toMatchObject({ accepted: false })
    expect(await ask(first.text(), '/approve', 'baraka', order)).toMatchObject({ accepted: true })
    first.child.kill('SIGKILL')

    // In this process, in the folder of the first: the summary at its end is measured too.
    process.chdir(folder)
    const second = catchProcess(['start', '--treasury'])
    await until(
      'the payout has arrived',
      () => /payout [\d,.]+ NTZS over payout arrived/.test(second.out()),
      {
        withinMs: 120_000,
        otherwise: second.out,
      },
    )
    const view = await ask<TreasuryView>(second.out(), '?position=sandbox', 'amina')
    expect([view.claims, view.identity?.tzs.residual, view.identity?.usd.residual]).toEqual([[], '0', '0'])
    expect(endedByWebhook()).toContain(true)
    // The wallet states no USDT there, so that what takers have left is in sight with the first reading of the pool.
    await until(
      'the pool was read after the payout',
      async () => {
        const state = await request<PositionView>(second.out(), '/state', 'amina')
        return Number(state.balances?.USDT) > 0 && state.reconciliation.state === 'reconciled'
      },
      { withinMs: 120_000, otherwise: second.out },
    )
    second.signal('SIGINT')
    expect(await second.ended).toBe(0)
    expect(second.out()).toMatch(/treasury {3}.*payout .* residual of 0/)
    expect(second.out()).toMatch(/webhooks {3}\d+ .*, \d+ repeated, 0 refused/)
    // Takers fill several times a second: those of the last one may not be read yet, and never are there more here than there.
    const [, same, theirs, ours] =
      /ledger {5}(?:.*(same \d+ fills)|(?:reconciled|pending); the venue counts (\d+) fills, we (\d+))/.exec(
        second.out(),
      ) ?? []
    expect(same !== undefined || Number(theirs) > Number(ours)).toBe(true)
  }, 320_000)
})
