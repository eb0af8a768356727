import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { LoadedConfig } from '../../../../../src/daemon/config/load/loaded-config.ts'
import { openSignerFile, type WalletConfig } from '../../../../../src/daemon/runtime/effects/wallet-signer.ts'
import { writeSavedSignerStop } from '../../../../../src/daemon/runtime/worker/answer-command.ts'
import { storeFiles } from '../../../../../src/store/store-files.ts'
import { freshFolder } from '../../../store/store-fixture.ts'
import { valueOf } from '../../../venue/read-answer.ts'
import type { OperatorAnswer } from '../../../../../src/daemon/console/position-port.ts'
import type { OperatorCommand } from '../../../../../src/core/engine/model/event.ts'
import { answerCall, type PositionServices } from '../../../../../src/daemon/runtime/worker/answer-calls.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { coreHarness } from '../../../../support/core-harness.ts'

const HALT = { method: 'command', command: { name: 'halt' }, who: 'ann', why: 'looks odd' } as const

function servicesOf(whenDurable: () => Promise<boolean>, accepted = true): PositionServices {
  const position = { command: () => ({ accepted, answer: 'halted' }), whenDurable, now: () => 7 }
  return { position, treasury: null } as unknown as PositionServices
}

describe('The answer to a command', () => {
  test('the answer leaves only after the command is on disk, so an answered command survives kill -9', async () => {
    const disk = Promise.withResolvers<boolean>()
    let answer: unknown = null
    const answering = answerCall(
      HALT,
      servicesOf(() => disk.promise),
    ).then((given) => (answer = given))
    await new Promise((resolve) => setImmediate(resolve))
    expect(answer).toBeNull()
    disk.resolve(true)
    await answering
    expect(answer).toEqual({ accepted: true, answer: 'halted' })
  })

  test('is a refusal if the position ended before the disk had it, unless the command is a stop', async () => {
    const answer = await answerCall(
      { ...HALT, command: { name: 'acceptMid', mid: 1n } },
      servicesOf(() => Promise.resolve(false)),
    )
    expect(answer).toMatchObject({
      accepted: false,
      answer: expect.stringContaining('command again') as string,
    })
  })

  test('does not wait where nothing was accepted', async () => {
    const never = () => new Promise<boolean>(() => undefined)
    expect(await answerCall(HALT, servicesOf(never, false))).toEqual({ accepted: false, answer: 'halted' })
  })
})

describe('The answer to a stop', () => {
  const desk = () => {
    const core = coreHarness({ config: { risk: { ...coreConfig().risk, onHalt: 'safe' } } })
    core.run(60_000)
    const held: unknown[] = []
    const position = {
      command: (command: OperatorCommand) => core.order(command),
      state: core.state,
      now: () => core.now,
      whenDurable: async () => true,
    }
    const treasury = { halt: (...halt: unknown[]) => void held.push(halt), held: () => ['a payout'] }
    const config = { rfq: null, core: core.state().config }
    const services = { position, treasury, config } as unknown as PositionServices
    const give = (command: OperatorCommand, confirmWithinMs = 0) =>
      answerCall({ method: 'command', command, who: 'ann', why: 'odd', confirmWithinMs }, services)
    return { core, give, held }
  }

  test('has what the venue shows once it shows the end, or when its time is up', async () => {
    const { core, give, held } = desk()
    expect(await give({ name: 'halt' })).toMatchObject({ accepted: true, confirmed: false, exitCode: 4 })
    expect(held).toEqual([[core.now, 'halted by ann: odd']])
    setImmediate(() => core.run(1_000))
    const told = await give({ name: 'halt' }, 5_000)
    expect(told).toMatchObject({
      accepted: true,
      confirmed: true,
      exitCode: 0,
      leaving: null,
      held: ['a payout'],
    })
  })

  test('is a refusal where a position signs no orders, and writes nothing', async () => {
    const { give } = desk()
    expect(await give({ name: 'stopSigning' })).toMatchObject({ accepted: false })
  })

  test('a stop of the signer that was kept for the start is in the signer’s file before it, or there is no start', async () => {
    const path = freshFolder()
    const settings = { maker: '0x01', chainId: 8453, exchange: '0x02' }
    const config = {
      rfq: {},
      core: { rfq: settings },
      store: { path, place: path },
    } as unknown as LoadedConfig
    const stops = [{ command: { name: 'halt' } }, { command: { name: 'stopSigning' } }] as const
    await writeSavedSignerStop(config, stops.slice(0, 1))
    expect(existsSync(storeFiles(path).signer)).toBe(false)
    await writeSavedSignerStop(config, stops)
    const file = valueOf(openSignerFile({ config, settings, rfq: {} } as unknown as WalletConfig, 'note'))
    expect(file.state.stopAt).toBeLessThanOrEqual(Date.now())
    file.close()
    const nowhere = { ...config, store: { path: storeFiles(path).signer, place: path } } as LoadedConfig
    await expect(writeSavedSignerStop(nowhere, stops)).rejects.toThrow('before the start')
  })

  test('a resume after which a rule halts again is refused with the rule, and claims nothing', async () => {
    const { core, give } = desk()
    core.order({ name: 'halt' })
    core.state().config = { ...core.state().config, risk: { ...core.state().config.risk, maxLossTzs: -1n } }
    const told = await give({ name: 'resume' })
    expect(told).toMatchObject({
      accepted: false,
      exitCode: 3,
      answer: expect.stringContaining('stays HALTED'),
    })
    expect((told as OperatorAnswer).answer).not.toContain('lifted')
  })
})

describe('The answer to a resume', () => {
  const RESUME = { ...HALT, command: { name: 'resume' }, confirmWithinMs: 2_000 } as const
  const quiet = {
    latch: { halted: null },
    requests: {},
    authRefusals: {},
    pacing: { polls: { account: { expedited: false } } },
  }

  const resume = (state: object) => {
    const position = {
      command: () => ({ accepted: true, answer: 'lifted: halted' }),
      whenDurable: () => Promise.resolve(true),
      state: () => ({ ...quiet, ...state }),
    }
    return answerCall(RESUME, { position, treasury: null } as unknown as PositionServices)
  }

  test('is that of the core where the venue accepts the key', async () => {
    expect(await resume({ decision: { tradingState: 'ACTIVE' } })).toEqual({
      accepted: true,
      answer: 'lifted: halted; trading continues',
    })
  })

  test('is not confirmed where the venue refuses the key, and a refusal once trading is halted again', async () => {
    const refused = await resume({ authRefusals: { any: 7 } })
    expect(refused).toMatchObject({ accepted: true, exitCode: 4 })
    expect(refused).toMatchObject({ answer: expect.not.stringContaining('lifted') as string })
    const halted = await resume({ latch: { halted: { why: 'the key' } }, authRefusals: { any: 7 } })
    expect(halted).toMatchObject({ accepted: false, exitCode: 3 })
  })

  test('waits for the reading of the account that shows it', async () => {
    let looks = 0
    const state = {
      get requests() {
        looks += 1
        return looks < 3 ? { 1: { what: 'account' } } : {}
      },
    }
    expect(await resume(state)).toMatchObject({ accepted: true })
    expect(looks).toBeGreaterThan(2)
  })
})
