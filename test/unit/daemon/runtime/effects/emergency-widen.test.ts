import { describe, expect, it, vi } from 'vitest'
import { err, ok, type Result } from '../../../../../src/base/result.ts'
import type { LoadedConfig } from '../../../../../src/daemon/config/load/loaded-config.ts'
import type { Spread } from '../../../../../src/core/engine/model/effect.ts'
import type { VenueFailure } from '../../../../../src/core/engine/model/venue-answer.ts'
import {
  emergencyWiden,
  leaveWithoutStore,
  widenAfter,
} from '../../../../../src/daemon/runtime/effects/emergency-widen.ts'
import type { StoreFailure } from '../../../../../src/store/failure.ts'
import type { SpreadAnswer } from '../../../../../src/venue/lp/spread.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { failureOf } from '../../../../support/failure-of.ts'

const { quote } = coreConfig()

/** What was sent, waited for and said where the venue gives these answers, the last one indefinitely. */
async function widen(
  answers: readonly (VenueFailure | 'ok')[],
  core = coreConfig(),
  place: LoadedConfig['store']['place'] = '/data',
  kind: StoreFailure['kind'] = 'io',
) {
  const [sent, waited, said]: [Spread[], number[], string[]] = [[], [], []]
  async function spread(wanted: Spread): Promise<Result<SpreadAnswer, VenueFailure>> {
    const answer = answers[Math.min(sent.length, answers.length - 1)]
    sent.push(wanted)
    return answer === undefined || answer === 'ok' ? ok({ type: 'quoteSet', spread: wanted }) : err(answer)
  }
  const log = { fatal: (...words: unknown[]) => void said.push(String(words.at(-1))) }
  const wait = (ms: number) => new Promise((resolve) => setImmediate(() => resolve(waited.push(ms))))
  const config = { core, store: { place } } as LoadedConfig
  await widenAfter({ kind, message: 'lost' }, { spread }, config, log, wait)
  return { sent, waited, last: said.at(-1) }
}

describe('the safe quote of a daemon whose journal cannot be written', () => {
  it('is repeated until the venue confirms it, after the delay that an exhausted budget requires', async () => {
    const busy = { ...failureOf('rate-limit'), retriable: true, retryAfterMs: 53_000 }
    const lost = { ...failureOf('timeout'), retriable: true }
    const { sent, waited, last } = await widen([lost, busy, 'ok'])
    expect(waited).toEqual([500, 53_000])
    expect(sent).toHaveLength(3)
    expect(sent[2]).toEqual({ bidBps: 500, askBps: 500, quoteBid: true, quoteAsk: true, quotePairs: null })
    expect(last).toContain('the venue confirmed')
  })

  it('is given up, said out loud, after a minute without an answer, and at once where the key is refused', async () => {
    const silent = await widen([{ ...failureOf('network'), retriable: true }])
    expect(silent.waited.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(60_000)
    expect(silent.waited.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(75_000)
    expect(silent.last).toMatch(/NOT confirmed.*not sent again/)
    expect((await widen([{ ...failureOf('auth'), retriable: false }])).sent).toHaveLength(1)
  })

  it('is not repeated for a minute where another daemon may take the position over in PostgreSQL', async () => {
    const place = { url: 'postgres://db/mizani', position: 'desk', folder: '/data' }
    const silent = await widen([{ ...failureOf('network'), retriable: true }], coreConfig(), place)
    expect(silent.waited.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(4_000)
    expect(silent.last).toContain('NOT confirmed')
    expect((await widen(['ok'], coreConfig(), place)).last).toContain('the venue confirmed')
  })

  it('is not sent again after the time limit, while a request or a pause is in progress', async () => {
    const [sent, waiting]: [Spread[], (() => void)[]] = [[], []]
    const wait = () => new Promise<void>((resolve) => void waiting.push(resolve))
    const config = { core: coreConfig(), store: { place: '/data' } } as LoadedConfig
    async function spread(wanted: Spread) {
      sent.push(wanted)
      return err({ ...failureOf('network'), retriable: true })
    }
    const widened = emergencyWiden({ spread }, config, { fatal: () => undefined }, wait, 8_000)
    await vi.waitFor(() => expect(waiting).toHaveLength(2))
    waiting[0]?.()
    expect(await widened).toBe('unconfirmed')
    waiting[1]?.()
    await Promise.resolve()
    expect(sent).toHaveLength(1)
  })

  it('is not sent by a daemon that was deposed: the next holder quotes the position', async () => {
    expect((await widen(['ok'], coreConfig(), '/data', 'locked')).sent).toEqual([])
  })

  it('is sent by a daemon whose PostgreSQL failed over: no one else was granted the position', async () => {
    expect((await widen(['ok'], coreConfig(), '/data', 'failed-over')).sent).toHaveLength(1)
  })

  it('is not sent in a dry run, nor where the quote is to be kept', async () => {
    expect((await widen(['ok'], coreConfig({ mode: 'dry-run' }))).sent).toEqual([])
    expect((await widen(['ok'], coreConfig({ quote: { ...quote, onExit: 'keep' } }))).sent).toEqual([])
  })
})

describe('the messages about a lost journal', () => {
  const failure = (kind: StoreFailure['kind']) => ({ kind, message: 'the disk is full' })
  const config = { core: coreConfig(), store: { place: '/data' } } as LoadedConfig

  async function leave(kind: StoreFailure['kind'], answers: readonly (VenueFailure | 'ok')[]) {
    const said: string[] = []
    let sent = 0
    const client = {
      async spread(wanted: Spread): Promise<Result<SpreadAnswer, VenueFailure>> {
        const answer = answers[Math.min(sent++, answers.length - 1)]
        return answer === 'ok' || answer === undefined
          ? ok({ type: 'quoteSet', spread: wanted })
          : err(answer)
      },
    }
    await leaveWithoutStore(
      failure(kind),
      { client, config, log: { fatal: () => undefined } },
      {
        notify: ({ code, text }) => void said.push(`${code}: ${text}`),
        fatal: (_code, text) => void said.push(`fatal: ${text}`),
        crashed: (text) => void said.push(`crashed: ${String(text)}`),
      },
      // Pauses end by their length, in one turn each.
      async (ms) => {
        for (let turns = 0; turns < ms / 100; turns++) await Promise.resolve()
      },
    )
    return said
  }

  it('show the confirmation of the safe quote where the venue gives it at once', async () => {
    expect(await leave('disk-full', ['ok'])).toEqual([
      'store: the disk is full; the venue confirmed the safe quote of 500 bps',
      'fatal: the disk is full; the venue confirmed the safe quote of 500 bps',
    ])
  })

  it('do not wait for an answer that does not come, and the last one shows the outcome', async () => {
    const silent = { ...failureOf('network'), retriable: true }
    expect(await leave('disk-full', [silent])).toEqual([
      'store: the disk is full; the venue has not confirmed the safe quote yet',
      'fatal: the disk is full; the venue did NOT confirm the safe quote',
    ])
  })

  it('of a daemon that lost the position to another one state that it sent nothing', async () => {
    expect(await leave('locked', ['ok'])).toEqual([
      'store: the disk is full; the quote is left unchanged',
      'crashed: the disk is full',
    ])
  })
})
