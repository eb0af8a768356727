import { dirname, resolve } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import type { ConfigProblem, Finding } from '../source/problem.ts'
import { httpWithoutSecrets, readHttp, tokenFiles } from './http.ts'
import { loadStrategyApart, loadStrategyHere, type StrategyWithSources } from '../strategy/load-strategy.ts'
import type { LoadStrategyOptions, StrategyReference } from '../strategy/load-strategy.ts'
import type { LoadedConfig } from './loaded-config.ts'
import { checkProxy, plainHttp } from './plain-http.ts'
import { probeStrategy, withoutCode, type StrategyProber } from '../strategy/probe-strategy.ts'
import { type AcceptedTexts, type ConfigSources, parseConfig } from './parse-config.ts'
import type { FleetDefaults } from './fleet-defaults.ts'
import type { ConfigFile } from '../schema/schema.ts'
import type { CalibrationChoice } from '../../../core/engine/model/config.ts'
import { readFeeds } from './feeds.ts'
import { readGuard } from './guard.ts'
import { readCalibration } from './calibration.ts'
import { NO_ALERT, readAlert } from './alert.ts'
import { readNotify } from './notify.ts'
import { readChain, readRfq } from './rfq.ts'
import { checkDatabase, readStore } from './store.ts'
import { loadTreasury, treasuryFiles } from './treasury.ts'
import { SECRET_NOT_READ, readSecret, type Secret, SecretReference, type Env } from '../source/secret.ts'
import { toCore } from './to-core.ts'
import type { Changes } from './changes.ts'

export type StrategyTrial = {
  readonly timeLimitMs: Ms
  readonly only?: 'ask' | 'load'
  /** Tries the strategies of many files in one thread; absent = each gets its own. */
  readonly prober?: StrategyProber
}

export type LoadConfigOptions = {
  /** The folder where strategies are looked up by name. */
  readonly strategiesFolder: string
  /**
   * Runs the strategy in a throw-away worker first, under a time limit, so that code that loops or throws never runs
   * here. With `only` no strategy code runs here at all: the returned strategy has its parameters and hash but cannot
   * be called, which leaves the server's thread unmodified. With `load` the worker evaluates the strategy without
   * calling it.
   */
  readonly probe?: StrategyTrial
  /** For research, which asks a million times: evaluates a user's strategy in this process instead of a separate one. */
  readonly evaluatesHere?: boolean
  /** For commands that do not use the strategy: its file is not read, so it may be broken or missing. */
  readonly skipStrategy?: boolean
  /** Awaited after the file is validated and before a strategy locks this thread down. */
  readonly beforeStrategy?: (file: ConfigFile) => Promise<unknown>
  /** For work without a venue: secrets are not read, and a placeholder replaces them. */
  readonly offline?: boolean
  /** The caller will quote or sign: a configuration without a price corridor is rejected. */
  readonly forTrading?: boolean
  /** Changes by dotted path, applied before validation: a variant, a recording. */
  readonly changes?: Changes
  /** The accepted texts of the files; absent = the files are read. */
  readonly texts?: AcceptedTexts
  /** The fleet's defaults if already read; absent = `defaults.yaml` next to the file is read. */
  readonly defaults?: FleetDefaults
}

const MAX_PROBLEMS = 50

/**
 * Reads and validates a configuration file with its secrets and strategy. All or nothing; all problems are reported together. Never throws
 * for the content of the file, and no problem's text contains a secret. `env` resolves `!env`.
 */
export async function loadConfig(
  file: string,
  env: Env,
  options: LoadConfigOptions,
): Promise<Result<LoadedConfig, readonly ConfigProblem[]>> {
  const parsed = parseConfig(file, options)
  if (!parsed.ok) return err(inOrder(file, parsed.error))
  const { file: config, sources: from, place } = parsed.value
  const isOffline = options.offline === true
  const apiKey = isOffline ? ok(SECRET_NOT_READ) : readKey(config, file, env)
  const http = isOffline ? ok(httpWithoutSecrets(config.http)) : readHttp(config.http, file, env)
  const proxy = isOffline ? ok(null) : await checkProxy(env)
  const calibration = calibrationOf(config, file)
  const strategy = await strategyOf(config, file, options)
  const challenger = await tryChallenger(config, file, options)
  const rfq = isOffline ? ok(null) : readRfq(config, file, env)
  const chain = isOffline ? ok(null) : readChain(config.chain, file, env)
  const notify = isOffline ? ok(null) : readNotify(config.notify, file, env)
  const alert = isOffline ? ok(NO_ALERT) : readAlert(config, file, env)
  const treasury = isOffline ? ok(null) : loadTreasury(config, file, env)
  const guard = isOffline ? ok(null) : readGuard(config, file, env)
  const feeds = isOffline ? ok([]) : readFeeds(config, file, env)
  const store = await checkDatabase(readStore(config, file, env, isOffline))
  const bounds = options.forTrading === true ? priceBounds(config) : ok(null)
  const urls = { rfq: rfq.ok ? rfq.value : null, chain: chain.ok ? chain.value : null }
  const wires = isOffline ? ok(null) : plainHttp(config, urls, env)
  const secrets = [apiKey, http, rfq, chain, notify, alert, treasury, guard, feeds, store]
  const parts = [...secrets, calibration, strategy, challenger, bounds, wires, proxy]
  const findings = parts.flatMap((part) => (part.ok ? [] : part.error))
  const isClear = wires.ok && proxy.ok
  const isRefused = !challenger.ok || !calibration.ok || !strategy.ok || !bounds.ok || !isClear
  if (
    !apiKey.ok ||
    !http.ok ||
    !rfq.ok ||
    !chain.ok ||
    !notify.ok ||
    !alert.ok ||
    !treasury.ok ||
    !guard.ok ||
    !feeds.ok ||
    !store.ok ||
    isRefused
  ) {
    return err(inOrder(file, findings.map(place)))
  }
  const changes = options.changes ?? {}
  const sources = { apiKey: apiKey.value, feeds: feeds.value, chain: chain.value, treasury: treasury.value }
  const people = { notify: notify.value, alert: alert.value, guard: guard.value }
  const shell = { ...sources, ...people, http: http.value, rfq: rfq.value, store: store.value }
  return ok({ ...assemble(from, config, shell, strategy.value, calibration.value), changes })
}

/** Sorts problems by file order, the defaults last, and limits them so that the first ones stay on the screen. */
function inOrder(file: string, problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  const rank = (problem: ConfigProblem) => (problem.file === file ? 0 : 1)
  return [...problems]
    .sort((a, b) => rank(a) - rank(b) || a.line - b.line || a.column - b.column)
    .slice(0, MAX_PROBLEMS)
}

/** Live trading and signed orders need price bounds that no answer of a venue or feed can exceed. */
function priceBounds({ mode, rfq, risk }: ConfigFile): Result<null, readonly Finding[]> {
  if (risk.priceCorridor !== null || (mode !== 'live' && rfq === null)) return ok(null)
  const why = mode === 'live' ? 'mode: live' : 'rfq'
  const message = `missing, and ${why} needs it: priceCorridor: { min: '2300', max: '2900' }, the lowest and highest TZS per USD to ever quote or sign from; \`mizani check\` proposes one`
  return err([{ path: ['risk', 'priceCorridor'], at: 'value', message }])
}

/** The key's prefix distinguishes production from sandbox; every key that is not a test key counts as live. */
function approvalFor(apiKey: Secret): bigint | null {
  return apiKey === SECRET_NOT_READ || apiKey.reveal().startsWith('mm_test_') ? null : 0n
}

function calibrationOf(
  { calibration }: ConfigFile,
  file: string,
): Result<CalibrationChoice | null, readonly Finding[]> {
  if (calibration === null) return ok(null)
  const read = readCalibration(resolve(dirname(resolve(file)), calibration))
  return read.ok ? read : err([{ path: ['calibration'], at: 'value', message: read.error }])
}

function readKey(config: ConfigFile, file: string, env: Env): Result<Secret, readonly Finding[]> {
  const read = readSecret(config.venue.apiKey, file, env)
  return read.ok ? read : err([{ path: ['venue', 'apiKey'], at: 'value', message: read.error }])
}

async function strategyOf(
  config: ConfigFile,
  file: string,
  options: LoadConfigOptions,
): Promise<Result<StrategyWithSources, readonly Finding[]>> {
  const { use, params } = config.strategy
  if (options.skipStrategy === true) return ok(withoutCode(use, { params, sourceHash: '', sources: [] }))
  const where = {
    folder: resolve(options.strategiesFolder),
    baseFolder: dirname(resolve(file)),
    allow: config.strategy.allow,
  }
  await options.beforeStrategy?.(config)
  if (options.probe !== undefined) {
    const { only } = options.probe
    const probed = await tryApart(config.strategy, where, options.probe, only !== 'load')
    if (!probed.ok) return err(probed.error.map(inStrategy))
    if (only !== undefined) return probed
  }
  const load = options.evaluatesHere === true ? loadStrategyHere : loadStrategyApart
  const loaded = await load(config.strategy, { ...where, owner: config.name })
  return loaded.ok ? loaded : err(loaded.error.map(inStrategy))
}

/**
 * Tries the challenger only when an operator checks a configuration. A start and a reload skip it: a challenger that loops or throws is
 * suspended next to the trading and must not prevent it.
 */
async function tryChallenger(
  { challenger, strategy }: ConfigFile,
  file: string,
  { probe, strategiesFolder }: LoadConfigOptions,
): Promise<Result<null, readonly Finding[]>> {
  if (challenger === null || probe?.only !== 'ask') return ok(null)
  const where = {
    folder: resolve(strategiesFolder),
    baseFolder: dirname(resolve(file)),
    allow: strategy.allow,
  }
  const probed = await tryApart(challenger, where, probe, true)
  if (probed.ok) return ok(null)
  return err(probed.error.map((finding) => ({ ...finding, path: ['challenger', ...finding.path] })))
}

function tryApart(
  wish: StrategyReference,
  where: LoadStrategyOptions,
  { timeLimitMs, prober }: StrategyTrial,
  asks: boolean,
): ReturnType<StrategyProber['probe']> {
  return prober?.probe(wish, where, asks) ?? probeStrategy(wish, where, timeLimitMs, asks)
}

function inStrategy(finding: Finding): Finding {
  return { ...finding, path: ['strategy', ...finding.path] }
}

function assemble(
  sources: ConfigSources,
  config: ConfigFile,
  secrets: Pick<
    LoadedConfig,
    'apiKey' | 'http' | 'guard' | 'rfq' | 'chain' | 'notify' | 'alert' | 'treasury' | 'feeds' | 'store'
  >,
  loaded: StrategyWithSources,
  calibration: CalibrationChoice | null,
): Omit<LoadedConfig, 'changes'> {
  const { file, defaults } = sources
  const { apiKey: _reference, ...venue } = config.venue
  const feeds = secrets.feeds.map((feed) => feed.settings)
  const core = toCore(config, loaded.strategy, calibration, approvalFor(secrets.apiKey), feeds)
  const near = (path: string) => resolve(dirname(resolve(file)), path)
  const { tape, data } = config.backtest
  const calibrationFile = config.calibration === null ? null : near(config.calibration)
  return {
    core,
    strategy: loaded.strategy,
    allowedCode: config.strategy.allow,
    venue,
    apiKey: secrets.apiKey,
    rfq: secrets.rfq,
    chain: secrets.chain,
    notify: secrets.notify,
    alert: secrets.alert,
    treasury: secrets.treasury,
    feeds: secrets.feeds,
    store: secrets.store,
    http: secrets.http,
    guard: secrets.guard,
    log: config.log,
    withdraw: core.withdraw,
    challenger: config.challenger,
    calibrationFile,
    record: config.record,
    close: config.close,
    backtest: {
      ...config.backtest,
      tape: tape === null ? null : near(tape),
      data: data === null ? null : near(data),
    },
    research: { tapes: config.research.tapes.map(near) },
    isolate: config.isolate,
    file,
    sources,
    watchFiles: [
      resolve(file),
      ...(defaults === null ? [] : [resolve(defaults)]),
      ...(calibrationFile === null ? [] : [calibrationFile]),
      ...secretFiles(config, file),
      ...loaded.sources,
    ],
  }
}

function secretFiles(config: ConfigFile, file: string): readonly string[] {
  const { apiKey } = config.venue
  const ofChains = [
    ...(config.rfq?.rpc.urls ?? []),
    config.rfq?.signer.password,
    ...(config.chain?.urls ?? []),
  ]
  const ofPeople = [config.notify, ...config.alert.escalation].flatMap(({ telegram, slack, webhook }) => [
    telegram?.botToken,
    slack?.webhookUrl,
    webhook?.url,
    webhook?.hmacKey,
  ])
  const ofFeeds = config.feeds.flatMap(({ http }) =>
    http === undefined ? [] : [http.url, ...Object.values(http.headers)],
  )
  const others = [
    apiKey,
    config.store.postgres,
    ...ofChains,
    ...ofPeople,
    config.guard?.token,
    config.alert.heartbeatUrl,
    ...ofFeeds,
  ]
    .filter((reference) => reference instanceof SecretReference && reference.kind === 'file')
    .map((reference) => resolve(dirname(resolve(file)), (reference as SecretReference).where))
  return [...others, ...tokenFiles(config.http, file), ...treasuryFiles(config.treasury, file)]
}
