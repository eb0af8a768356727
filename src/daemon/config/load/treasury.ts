import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseDocument } from 'yaml'
import { err, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import { TOKEN_DECIMALS } from '../../../base/money/asset.ts'
import type { BankCalendar, Cap, Payee, TreasuryConfig } from '../../../treasury/model/config.ts'
import { readCalendar } from '../../../treasury/policy/calendar/read-calendar.ts'
import { TREASURY_ASSETS, type TreasuryAsset } from '../../../treasury/model/place.ts'
import type { BankFormats } from '../../../treasury/statement/bank-format.ts'
import type { ConfigFile } from '../schema/schema.ts'
import type { Finding, PathStep } from '../source/problem.ts'
import { readSecret, type Secret, SecretReference, type Env } from '../source/secret.ts'
import { withoutMissing } from './to-core.ts'

/** Next to the sources, or next to the bundle. */
const SHIPPED = import.meta.url.endsWith('.ts')
  ? '../../../../config/calendar/tz.yaml'
  : './config/calendar/tz.yaml'

type Section = NonNullable<ConfigFile['treasury']>

/** The treasury's settings, for its core and for the shell. */
export type LoadedTreasury = {
  readonly core: TreasuryConfig
  readonly partner: Omit<Section['partner'], 'apiKey'>
  readonly apiKey: Secret
  /** Destination of the position's top-ups, in lower case. */
  readonly lpWallet: string
  readonly phone: string | null
  /** The bank account that pays our deposits; null or absent = it is not sent. */
  readonly payerAccountNumber?: string | null
  readonly bankFormats: BankFormats
  /** Null = only polling. */
  readonly webhooks: {
    readonly host: string
    readonly port: number
    readonly secrets: readonly Secret[]
    readonly toleranceMs: Ms
  } | null
}

/** The smallest worthwhile movement by default, in whole tokens. */
const SMALLEST: Readonly<Record<TreasuryAsset, bigint>> = { NTZS: 50_000n, USDC: 20n, USDT: 20n }
/** The sandbox and production sign with at least this much; a shorter secret is a mistake. */
const SHORTEST_SECRET = 16

/** Reads the section with its secrets and its calendar; null = off. Findings never contain a secret. */
export function loadTreasury(
  { treasury: section, chain, mode }: Pick<ConfigFile, 'treasury' | 'chain' | 'mode'>,
  configFile: string,
  env: Env,
): Result<LoadedTreasury | null, readonly Finding[]> {
  if (section === null) return ok(null)
  const findings: Finding[] = []
  const find = (path: readonly PathStep[], message: string) =>
    void findings.push({ path: ['treasury', ...path], at: 'value', message })
  const take = (reference: SecretReference, path: readonly PathStep[], shortest: number): Secret | null => {
    const read = readSecret(reference, configFile, env)
    if (!read.ok) find(path, read.error)
    else if (read.value.reveal().length < shortest)
      find(path, `its value is too short; expected at least ${shortest} characters`)
    return read.ok ? read.value : null
  }
  const apiKey = take(section.partner.apiKey, ['partner', 'apiKey'], 1)
  const secrets = (section.webhooks?.secrets ?? []).flatMap((reference, index) => {
    const secret = take(reference, ['webhooks', 'secrets', index], SHORTEST_SECRET)
    return secret === null ? [] : [secret]
  })
  const lpWallet = section.lpWallet ?? chain?.wallet ?? null
  if (lpWallet === null)
    find(['lpWallet'], "missing, and chain.wallet is not set either; expected the LP wallet's address")
  const calendar = readBankCalendar(bankCalendarFile(section.calendar, configFile))
  if (!calendar.ok) find(['calendar'], calendar.error)
  if (findings.length > 0 || apiKey === null || lpWallet === null || !calendar.ok) return err(findings)
  const { apiKey: _reference, ...partner } = section.partner
  return ok({
    core: toTreasuryCore(section, mode, calendar.value),
    partner,
    apiKey,
    lpWallet,
    phone: section.phone,
    payerAccountNumber: section.payerAccountNumber,
    bankFormats: section.bankFormats,
    webhooks: section.webhooks === null ? null : { ...section.webhooks, secrets },
  })
}

/** Returns the treasury core's part of the file as plain data without secrets. */
function toTreasuryCore(
  section: Section,
  mode: ConfigFile['mode'],
  calendar: TreasuryConfig['calendar'],
): TreasuryConfig {
  const { policy, approval } = section
  const smallest = (asset: TreasuryAsset) =>
    policy.smallest[asset] ?? SMALLEST[asset] * 10n ** BigInt(TOKEN_DECIMALS[asset])
  return {
    // With a position that only reads, the treasury sends nothing.
    mode: mode === 'dry-run' ? 'plan' : section.mode,
    userId: section.userId,
    policy: {
      ...policy,
      bands: withoutMissing(policy.bands),
      caps: policy.caps.flatMap(capsOf),
      smallest: perAsset(smallest),
    },
    payees: section.payees.map(payeeOf),
    approval: { ...approval, freeRefill: perAsset((asset) => approval.freeRefill[asset] ?? 0n) },
    replayWindowMs: section.replayWindowMs,
    ...(section.transferCaps !== null && { transferCaps: section.transferCaps }),
    ...(section.keysHonoured.length > 0 && { keysHonoured: section.keysHonoured }),
    pollEveryMs: section.pollEveryMs,
    supply: {
      everyMs: section.supplyEveryMs,
      reconcileEveryMs: section.reconcileEveryMs,
      exit: section.exit,
    },
    calendar,
  }
}

function capsOf({ route, destination, perDay, perMonth }: Section['policy']['caps'][number]): readonly Cap[] {
  return TREASURY_ASSETS.flatMap((asset) => {
    const [day, month] = [perDay[asset] ?? null, perMonth[asset] ?? null]
    return day === null && month === null ? [] : [{ route, destination, asset, perDay: day, perMonth: month }]
  })
}

function payeeOf({ name, bank, phone, address, admitted }: Section['payees'][number]): Payee {
  const isAdmitted = admitted
  if (bank !== undefined) return { name, to: { kind: 'bank', ...bank }, isAdmitted }
  if (phone !== undefined) return { name, to: { kind: 'phone', phoneNumber: phone }, isAdmitted }
  return { name, to: { kind: 'address', address: address ?? '' }, isAdmitted }
}

function perAsset(of: (asset: TreasuryAsset) => bigint): Readonly<Record<TreasuryAsset, bigint>> {
  return { NTZS: of('NTZS'), USDC: of('USDC'), USDT: of('USDT') }
}

/** Returns the absolute paths of the files that the section reads. */
export function treasuryFiles(section: ConfigFile['treasury'], configFile: string): readonly string[] {
  if (section === null) return []
  const references = [section.partner.apiKey, ...(section.webhooks?.secrets ?? [])]
  const secrets = references.flatMap((reference) =>
    reference.kind === 'file' ? [resolve(dirname(resolve(configFile)), reference.where)] : [],
  )
  return [bankCalendarFile(section.calendar, configFile), ...secrets]
}

/** Returns the absolute path of the configured calendar; null = the bundled one. */
function bankCalendarFile(written: string | null, configFile: string): string {
  if (written !== null) return resolve(dirname(resolve(configFile)), written)
  return fileURLToPath(new URL(SHIPPED, import.meta.url))
}

/** Reads the days on which banks do not work. Errors are sentences that name the file and the remedy. */
function readBankCalendar(file: string): Result<BankCalendar, string> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (thrown) {
    const { code = 'unreadable' } = thrown as NodeJS.ErrnoException
    return err(`the calendar ${file} cannot be read (${code}); omit the key to use the bundled calendar`)
  }
  const document = parseDocument(text, { logLevel: 'silent' })
  const [problem] = document.errors
  if (problem !== undefined) return err(`the calendar ${file} is not YAML: ${problem.message.split('\n')[0]}`)
  const read = readCalendar(document.toJS({ maxAliasCount: 0 }))
  return read.ok ? read : err(`${file} is not a bank calendar: ${read.error.join('; ')}`)
}
