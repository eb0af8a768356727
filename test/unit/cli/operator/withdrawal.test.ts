import { type Command, InvalidArgumentError } from 'commander'
import { describe, expect, test } from 'vitest'
import {
  forbiddenWithdrawal,
  parseWithdrawalOrder,
  withdrawalEnd,
} from '../../../../src/cli/operator/withdrawal.ts'
import { numberOption } from '../../../../src/cli/options.ts'
import { buildProgram } from '../../../../src/cli/program.ts'
import { replayProgress } from '../../../../src/cli/output/progress.ts'
import type { VenueFailure } from '../../../../src/core/engine/model/venue-answer.ts'

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const ORDER = { asset: 'USDC', amount: 5_000_000n, toAddress: WALLET } as const

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

const program = await buildProgram()

describe('the grammar', () => {
  const { commands } = program

  test('every command of the product is there, says what it does, and takes --json where it answers', () => {
    expect(commands.map((command) => command.name())).toEqual(
      words(`
      start init strategy run fleet record sandbox guard pause halt resume activate deactivate withdraw withdrawal ack
      reload audit console check status quote explain curve risk scorecard conformance replay export controls runbook drill
      backtest parity whatif challenger calibrate feeds sweep model tournament report tape data custody keys rfq treasury partner close
      verify-close backup restore copy-store notify mcp proposals
    `),
    )
    for (const command of commands) {
      expect([command.name(), command.description().length > 20]).toEqual([command.name(), true])
      const speaksJson = command.options.some((option) => option.long === '--json')
      expect([command.name(), speaksJson]).toEqual([
        command.name(),
        !words(`
      start strategy run record guard report tape data notify custody keys rfq treasury partner model withdrawal mcp
      proposals
    `).includes(command.name()),
      ])
    }
  })

  test('each command is found where only its own group is loaded', async () => {
    for (const name of commands.map((command) => command.name())) {
      const found = (await buildProgram(name)).commands
      expect([name, found.some((one) => one.name() === name), found.length < commands.length]).toEqual([
        name,
        true,
        true,
      ])
    }
  })

  test('a planned position has spreads that the venue accepts', () => {
    const risk = commands.find((command) => command.name() === 'risk')
    const plan = risk?.options.find(({ long }) => long === '--inventory')
    const parse = (text: string) => plan?.parseArg?.(text, undefined)
    expect(parse('USDC=5,bid=10,ask=500')).toEqual({ USDC: 5, bid: 10, ask: 500 })
    for (const text of ['bid=5', 'ask=501', 'bid=10.5'])
      expect(() => parse(text)).toThrow('bid and ask from 10 to 500')
  })

  test('only what needs a configuration demands one', () => {
    const has = (command: Command, name: string) => command.options.find(({ long }) => long === name)
    // One that takes a fleet instead demands either of them when it is called.
    const demanding = commands.filter(
      (command) => has(command, '--config')?.mandatory === true || has(command, '--fleet') !== undefined,
    )
    // A drill without a configuration runs on the shipped example.
    const others = words(`
      start init strategy fleet sandbox feeds runbook parity drill model calibrate tournament report tape data notify custody keys rfq
      treasury partner verify-close withdrawal proposals console
    `)
    const eitherOf = demanding.filter((command) => has(command, '--fleet') !== undefined)
    expect(eitherOf.map((command) => command.name())).toEqual(
      words('pause halt resume activate deactivate ack reload status close mcp'),
    )
    expect(demanding.map((command) => command.name())).toEqual(
      commands.map((command) => command.name()).filter((name) => !others.includes(name)),
    )
  })
})

describe('the groups about self-custody', () => {
  const inGroup = (name: string) => program.commands.find((one) => one.name() === name)?.commands ?? []
  const mandatory = (name: string, command: string) =>
    inGroup(name)
      .find((one) => one.name() === command)
      ?.options.filter((option) => option.mandatory)
      .map((option) => option.long)

  test('have the commands that were issued, and each answers in JSON', () => {
    expect(inGroup('custody').map((one) => one.name())).toEqual(['enable', 'disable'])
    expect(inGroup('rfq').map((one) => one.name())).toEqual(words('hash sign list cancel cancel-all stop-at'))
    for (const command of [...inGroup('custody'), ...inGroup('rfq')])
      expect([command.name(), command.options.some((option) => option.long === '--json')]).toEqual([
        command.name(),
        true,
      ])
  })

  test('demand a configuration where there is a position', () => {
    for (const command of ['enable', 'disable']) expect(mandatory('custody', command)).toEqual(['--config'])
    for (const command of ['list', 'cancel']) expect(mandatory('rfq', command)).toEqual(['--config'])
  })
})

describe('the place of a daemon on the command line', () => {
  const called = async (...args: string[]) => {
    const program = (await buildProgram()).exitOverride()
    const command = program.commands.find((one) => one.name() === 'ack')
    const found = { options: {} }
    command
      ?.exitOverride()
      .configureOutput({ writeErr: () => undefined })
      .action((_code, options: object) => void (found.options = options))
    await program.parseAsync(['node', 'mizani', 'ack', ...args])
    return found.options
  }

  test.each([
    [['--url', 'https://desk.example'], { url: 'https://desk.example' }],
    [['--url', 'http://[::1]:9464/'], { url: 'http://[::1]:9464' }],
    [['--store', 'data', '--position', 'west'], { store: 'data', position: 'west' }],
  ])('may be %j', async (args, options) => {
    expect(await called(...args)).toMatchObject(options)
  })

  test.each([
    ['none at all', [], 'not specified'],
    ['two', ['--store', 'data', '--url', 'https://desk.example'], 'exclude each other'],
    ['a folder and a fleet', ['--store', 'data', '--fleet', 'f'], 'exclude each other'],
    ['in the clear over a network', ['--url', 'http://10.0.0.5:9464'], 'https://HOST:PORT'],
    ['with a token in it', ['--url', 'https://me:secret@desk.example'], 'https://HOST:PORT'],
    ['with a path', ['--url', 'https://desk.example/api'], 'https://HOST:PORT'],
    ['no URL', ['--url', 'desk'], 'https://HOST:PORT'],
  ])('is refused: %s', async (_, args, why) => {
    await expect(called(...args)).rejects.toThrow(why)
  })
})

describe('a number on the command line', () => {
  test('is taken inside its range', () => {
    expect(numberOption({ whole: true, min: 0, max: 65_535 })('8787')).toBe(8_787)
    expect(numberOption({ min: 0, max: 10 })('0.5')).toBe(0.5)
  })

  test.each(['', ' ', 'x', '1.5', '-1', '65536', 'NaN', 'Infinity', '1e9'])('%j is no port', (text) => {
    expect(() => numberOption({ whole: true, min: 0, max: 65_535 })(text)).toThrow(InvalidArgumentError)
  })
})

describe('a withdrawal order', () => {
  test('is exact base units and a checksummed address', () => {
    const parsed = parseWithdrawalOrder('USDT.bnb', '0.000000000000000001', WALLET.toLowerCase())
    expect(parsed).toEqual({ ok: true, value: { asset: 'USDT.bnb', amount: 1n, toAddress: WALLET } })
  })

  test.each([
    ['too many digits', 'USDC', '0.0000001', WALLET, 'more than 6 decimals'],
    ['an exponent', 'USDC', '1e3', WALLET, 'not a plain decimal'],
    ['nothing', 'USDC', '0', WALLET, 'more than zero'],
    ['less than nothing', 'USDC', '-5', WALLET, 'more than zero'],
    ['a short address', 'USDC', '1', '0x7099', 'not an EVM address'],
    ['a mistyped letter', 'USDC', '1', WALLET.replace('C5', 'c5'), 'checksum is wrong'],
  ] as const)('with %s is refused with what is expected', (_what, asset, amount, to, says) => {
    const parsed = parseWithdrawalOrder(asset, amount, to)
    expect(parsed.ok ? '' : parsed.error).toContain(says)
  })

  test('is forbidden unless enabled, listed and below the cap', () => {
    const rules = { enabled: true, destinations: [WALLET.toLowerCase()], maxPerDay: { USDC: 5_000_000n } }
    expect(forbiddenWithdrawal(ORDER, rules)).toBeNull()
    expect(forbiddenWithdrawal(ORDER, { ...rules, enabled: false })).toContain('withdrawals are off')
    expect(forbiddenWithdrawal(ORDER, { ...rules, destinations: [] })).toContain('not among')
    expect(forbiddenWithdrawal(ORDER, { ...rules, maxPerDay: {} })).toContain('names no USDC')
    expect(forbiddenWithdrawal({ ...ORDER, amount: 5_000_001n }, rules)).toContain('allows 5 USDC')
  })
})

describe('the end of a withdrawal in the journal', () => {
  const failure: VenueFailure = {
    kind: 'refused',
    code: 'INSUFFICIENT_BALANCE',
    status: 400,
    route: 'POST /withdraw',
    message: 'POST /withdraw: 400 INSUFFICIENT_BALANCE',
    retriable: false,
    outcome: 'failed',
    retryAfterMs: null,
  }
  const failed = (change: Partial<VenueFailure>) =>
    ({ type: 'requestFailed', t: 0, request: 1, failure: { ...failure, ...change } }) as const

  test('is the confirmation of the same amount of the same token', () => {
    const withdrawn = {
      type: 'withdrawn',
      t: 0,
      request: 1,
      asset: 'USDC',
      amount: 5_000_000n,
      txHash: '0x1',
    } as const
    expect(withdrawalEnd(withdrawn, ORDER)).toMatchObject({ exitCode: 0 })
    expect(withdrawalEnd({ ...withdrawn, amount: 1n }, ORDER)).toBeNull()
    expect(withdrawalEnd({ type: 'tick', t: 0 }, ORDER)).toBeNull()
  })

  test('without a clear answer is an unknown payment, exit code 5, and warns of sending again', () => {
    const end = withdrawalEnd(failed({ kind: 'timeout', outcome: 'unknown' }), ORDER)
    expect(end).toMatchObject({ exitCode: 5 })
    expect(end?.answer).toContain('Do not send')
  })

  test('a refusal is 1, a venue that was never reached 4, and another route says nothing', () => {
    expect(withdrawalEnd(failed({}), ORDER)).toMatchObject({ exitCode: 1 })
    expect(withdrawalEnd(failed({ kind: 'network' }), ORDER)).toMatchObject({ exitCode: 4 })
    expect(withdrawalEnd(failed({ route: 'GET /rate' }), ORDER)).toBeNull()
  })
})

describe('the progress of a replay', () => {
  const drawn = (isTTY: boolean) => {
    const written: string[] = []
    let now = 0
    const output = { isTTY, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream
    const progress = replayProgress(1_000, output, () => now)
    for (let done = 1; done <= 500; done += 1) {
      now += 10
      progress.note(done)
    }
    progress.end()
    return written
  }

  test('is percent and time left, a few times a second, and wiped at the end', () => {
    const written = drawn(true)
    expect(written).toHaveLength(26)
    expect(written.at(-2)).toContain('replaying 50 %, 5s left')
    expect(written.at(-1)).toBe('\r\u001B[K')
  })

  test('is a line every five seconds where no terminal is', () => {
    expect(drawn(false)).toEqual(['replaying 50 %, 5s left\n'])
  })
})
