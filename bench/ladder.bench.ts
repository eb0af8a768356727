import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startChain, type StartedChain } from '../src/simulator/sandbox/chain/start-chain.ts'
import { startSandbox, type SandboxServer } from '../src/simulator/sandbox/server/server.ts'
import { TOKENS } from '../src/simulator/sandbox/market/tokens.ts'
import { startDaemon, type Daemon, type LogLine } from './live/daemon.ts'
import { spreadOfSamples } from './harness/spread-of-samples.ts'
import { shortOr } from './harness/short.ts'

const KEY = 'mm_test_bench'
const ORDERS = shortOr(4, 40)
const MOVES = shortOr(2, 15)
const TARGET_MS = 100
/** The budget of a real key allows one such ladder in two minutes: here it is out of the way. */
const REQUESTS_PER_MINUTE = 6_000
const STRATEGY = fileURLToPath(new URL('../strategies/rfq-ladder.ts', import.meta.url))

/**
 * The daemon as a process on the venue in a box with the real exchange contract: from the moment the daemon
 * learns of a new mid until the venue has taken the last order of a new ladder of 40, each decided, reserved,
 * journalled, signed and sent over HTTP, and judged there by the contract. Times are of the daemon's log.
 */
export default async function ladderBench(): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-ladder-'))
  const chain = await startChain({ blockSeconds: 1 })
  const venue = await startSandbox(
    { apiKey: KEY, requestsPerMinute: REQUESTS_PER_MINUTE, solver: { policy: 'never' } },
    undefined,
    chain,
  )
  try {
    await enableCustody(venue, chain)
    const daemon = startDaemon(['run', '--config', writeConfig(folder, venue, chain)], {
      BENCH_KEY: KEY,
      BENCH_SIGNER: chain.accounts.maker.key,
    })
    try {
      return { orders: ORDERS, midToLastOrderMs: { target: TARGET_MS, ...(await measure(venue, daemon)) } }
    } finally {
      await daemon.end()
    }
  } finally {
    await venue.close()
    await chain.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(venue: SandboxServer, daemon: Daemon): Promise<object> {
  await placed(daemon, 0)
  const samples: number[] = []
  for (let nth = 0; nth < MOVES; nth++) {
    // The last ladder has been cancelled or is on its way out; what it promised must not be short.
    await pause(1_500)
    const from = daemon.lines.length
    venue.model.inject({ print: { mid: nth % 2 === 0 ? '2700' : '2560' } })
    const received = await daemon.line(
      (line) => isNew(daemon, line, from) && line.event === 'midChanged',
      60_000,
    )
    const last = await placed(daemon, daemon.lines.indexOf(received))
    samples.push(Date.parse(String(last.time)) - Date.parse(String(received.time)))
  }
  return spreadOfSamples(samples)
}

/** The line of the fortieth order that the venue took after that line. */
async function placed(daemon: Daemon, from: number): Promise<LogLine> {
  const taken = (line: LogLine) => line.event === 'orderPlaced'
  return daemon.line((line) => {
    if (!taken(line)) return false
    const at = daemon.lines.lastIndexOf(line)
    return at >= from && daemon.lines.slice(from, at + 1).filter(taken).length >= ORDERS
  }, 60_000)
}

function isNew(daemon: Daemon, line: LogLine, from: number): boolean {
  return daemon.lines.lastIndexOf(line) >= from
}

async function enableCustody(
  { url }: SandboxServer,
  { tokens, accounts, exchange }: StartedChain,
): Promise<void> {
  for (const asset of ['NTZS', 'USDC'] as const) {
    await tokens.approve(asset, accounts.maker.address, exchange, 10n ** 30n)
  }
  const answer = await fetch(`${url}/api/v1/mm/custody`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ enabled: true }),
  })
  if (!answer.ok) throw new Error(`the venue did not enable self-custody: ${await answer.text()}`)
}

function writeConfig(folder: string, { url }: SandboxServer, { url: rpc, accounts }: StartedChain): string {
  const file = join(folder, 'config.json')
  const levels = ORDERS / 2
  const config = {
    name: 'bench',
    mode: 'live',
    venue: { baseUrl: url, publicUrl: url, apiKey: '!env BENCH_KEY', requestsPerMinute: REQUESTS_PER_MINUTE },
    strategy: {
      use: STRATEGY,
      params: {
        levels,
        baseHalfSpreadBps: 60,
        sizePremiumBps: 2,
        levelUsd: 20,
        sizeGrowth: 1,
        stables: ['USDC'],
      },
    },
    risk: {
      maxMidAgeMs: 1_728_000_000,
      maxMidStepBps: null,
      maxMidMoveBpsPerHour: null,
      maxMidMoveBpsPerDay: null,
      priceCorridor: { min: '1000', max: '10000' },
    },
    store: { path: join(folder, 'store') },
    http: { port: 0 },
    rfq: {
      chainId: 8_453,
      maker: accounts.maker.address,
      tokens: { NTZS: TOKENS.NTZS.address, USDC: TOKENS.USDC.address, USDT: TOKENS.USDT.address },
      rpc: { urls: [rpc] },
      signer: { envKey: '!env BENCH_SIGNER', allowInLive: true },
      solver: accounts.solver.address,
      maxOrders: 4 * ORDERS,
      confirmations: 1,
      pollMs: 500,
      cancel: { policy: 'always' },
    },
  }
  // JSON is YAML, but for the tags of secrets.
  writeFileSync(file, JSON.stringify(config, null, 2).replaceAll(/"(!env [A-Z_]+)"/g, '$1'))
  return file
}
