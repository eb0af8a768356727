import { accessSync, constants } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import type { Finding } from '../source/problem.ts'
import type { LoadedChain, LoadedRfq, LoadedSigner } from './loaded-config.ts'
import { longestLifeMs } from '../schema/rfq.ts'
import type { ConfigFile } from '../schema/schema.ts'
import { readSecret, Secret, SecretReference, type Env } from '../source/secret.ts'
import { withoutMissing } from './to-core.ts'

type RfqFile = NonNullable<ConfigFile['rfq']>
type Found<Value> = Result<Value, readonly Finding[]>

const URL_SHAPE = /^https?:\/\/[^\s@]+$/

/**
 * Reads the part of `rfq` that does not belong to the core, including its secrets, and checks that its files exist. The
 * signer opens a keystore, not this function. Findings never contain a secret.
 */
export function readRfq(
  { rfq: section, guard }: Pick<ConfigFile, 'rfq' | 'guard'>,
  configFile: string,
  env: Env,
): Found<LoadedRfq | null> {
  if (section === null) return ok(null)
  const urls = readUrls(section.rpc.urls, ['rfq', 'rpc', 'urls'], { configFile, env })
  const signer = readSigner(section, configFile, env)
  if (!urls.ok || !signer.ok) {
    return err([urls, signer].flatMap((part) => (part.ok ? [] : part.error)))
  }
  const { quorum, timeoutMs } = section.rpc
  return ok({
    rpc: { urls: urls.value, quorum, timeoutMs },
    signer: signer.value,
    gas: section.gas,
    approve: withoutMissing(section.approve),
    limits: {
      maxOrderUsd: section.maxOrderUsd,
      maxOutstandingUsd: section.maxOutstandingUsd,
      maxAtRiskUsdPerHour: section.maxAtRiskUsdPerHour ?? 2n * section.maxOutstandingUsd,
      maxAtRiskUsdPerDay: section.maxAtRiskUsdPerDay ?? 5n * section.maxOutstandingUsd,
      maxLifeMs: longestLifeMs(section, guard !== null),
      maxSignaturesPerMinute: section.maxSignaturesPerMinute,
    },
  })
}

/** Reads the `chain` section with its secrets. Findings never contain a secret. */
export function readChain(
  section: ConfigFile['chain'],
  configFile: string,
  env: Env,
): Found<LoadedChain | null> {
  if (section === null) return ok(null)
  const { allowPlainHttp: _judged, urls: references, tokens, ...rest } = section
  const urls = readUrls(references, ['chain', 'urls'], { configFile, env })
  return urls.ok ? ok({ ...rest, tokens: withoutMissing(tokens), urls: urls.value }) : urls
}

function readUrls(
  urls: RfqFile['rpc']['urls'],
  place: readonly string[],
  { configFile, env }: { readonly configFile: string; readonly env: Env },
): Found<readonly Secret[]> {
  const found: Secret[] = []
  const findings: Finding[] = []
  urls.forEach((url, index) => {
    const path = [...place, index]
    const read = url instanceof SecretReference ? readSecret(url, configFile, env) : ok(new Secret(url))
    if (!read.ok) return findings.push({ path, at: 'value', message: read.error })
    const text = read.value.reveal()
    if (!URL_SHAPE.test(text) || !URL.canParse(text)) {
      const message = 'its value is not an RPC address; expected http(s)://host/path'
      return findings.push({ path, at: 'value', message })
    }
    // One endpoint listed twice would agree with itself.
    if (found.some((other) => addressOf(other.reveal()) === addressOf(text))) {
      const message = 'the same endpoint is listed twice; each of them has to be another one'
      return findings.push({ path, at: 'value', message })
    }
    return found.push(read.value)
  })
  return findings.length > 0 ? err(findings) : ok(found)
}

/** Normalises a URL: the case of the host, a default port, an empty path. */
function addressOf(url: string): string {
  return (URL.parse(url)?.href ?? url).replace(/#.*$/, '')
}

function readSigner({ signer, maker }: RfqFile, configFile: string, env: Env): Found<LoadedSigner> {
  const { keystore, password, envKey, allowInLive, web3signer } = signer
  const inSigner = (key: string, message: string): Finding => ({
    path: ['rfq', 'signer', key],
    at: 'value',
    message,
  })
  if (web3signer !== undefined) return ok({ kind: 'web3signer', url: web3signer, address: maker })
  if (envKey !== undefined) {
    const key = readSecret(envKey, configFile, env)
    return key.ok ? ok({ kind: 'env', key: key.value, allowInLive }) : err([inSigner('envKey', key.error)])
  }
  const near = (path: string) => resolve(dirname(resolve(configFile)), path)
  const [file, passwordFile] = [near(keystore ?? ''), near(password?.where ?? '')]
  const findings = [
    ...missing(file).map((code) =>
      inSigner('keystore', `${file} cannot be read (${code}); give the path of a readable keystore`),
    ),
    ...missing(passwordFile).map((code) =>
      inSigner(
        'password',
        `the file that !file names cannot be read (${code}); give the path of a readable file`,
      ),
    ),
  ]
  return findings.length > 0 ? err(findings) : ok({ kind: 'keystore', file, passwordFile })
}

/** Returns why the file cannot be read; empty = it can. */
function missing(path: string): readonly string[] {
  try {
    accessSync(path, constants.R_OK)
    return []
  } catch (thrown) {
    return [(thrown as NodeJS.ErrnoException).code ?? 'unreadable']
  }
}
