import { TOKEN_DECIMALS } from '../../../base/money/asset.ts'
import { z } from 'zod'
import { isTimeZone } from '../../../core/strategy/local-time.ts'
import { alertSection } from './alert.ts'
import { chainSection } from './chain.ts'
import { fairValueSection } from './fair-value.ts'
import { storeSection } from './store.ts'
import { guardSection } from './guard.ts'
import { inventorySection, pacingSection, quoteSection } from './quoting.ts'
import { backtestSection, drillsSection, recordSection, researchSection } from './research.ts'
import { field, flag, money, orNull, perAsset, writtenAddress } from './field.ts'
import { httpSection } from './http.ts'
import { notifySection } from './notify.ts'
import { GUARDED_LIFE_MS, longestLifeMs, rfqSection } from './rfq.ts'
import { riskSection } from './risk.ts'
import { feedsSection } from './feeds.ts'
import { treasurySection } from './treasury.ts'
import { venueSection } from './venue.ts'

const strategySection = z.strictObject({
  use: field.text.describe('The name of a strategy in strategies/, or a path relative to this file.'),
  params: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('Parameters, as the strategy declares them.'),
  allow: orNull(
    z
      .array(z.string().regex(/^[0-9a-f]{64}$/, 'not a sha-256; expected 64 hexadecimal digits'))
      .min(1)
      .max(100),
    'sha-256 of the strategies that may run, wrapped ones included; `mizani check` prints the hash of an unlisted strategy. null = all.',
  ),
})

const withdrawSection = z
  .strictObject({
    enabled: z.boolean().default(false),
    destinations: z
      .array(writtenAddress)
      .max(100)
      .default([])
      .describe('The addresses that may receive withdrawals.'),
    maxPerDay: perAsset((asset) => money(TOKEN_DECIMALS[asset]))
      .default({})
      .describe('Tokens per rolling 24 hours; a token not named is 0.'),
    approvalAboveUsd: money(18)
      .nullable()
      .optional()
      .describe(
        'Above it another token must approve; null = no second approval. Default: 0, and null with a test key.',
      ),
    coolOffMs: field.durationMs
      .default(600_000)
      .describe('Time from the approval until the tokens are sent; every operator may cancel meanwhile.'),
    approvalWithinMs: field.intervalMs
      .default(14_400_000)
      .describe('A request that is not approved within this time expires.'),
  })
  .refine((section) => !section.enabled || section.destinations.length > 0, {
    path: ['destinations'],
    message: 'withdrawals are enabled but nowhere allowed; list the addresses that may receive',
  })

/** What `mizani close` uses; the daemon does not read it. */
const closeSection = z.strictObject({
  timezone: z
    .string()
    .refine(isTimeZone, 'not a time zone; expected a name such as Africa/Dar_es_Salaam')
    .default('UTC')
    .describe('Time zone in which a day of `mizani close` begins and ends.'),
  timestamp: orNull(
    field.url,
    'A time-stamping authority (RFC 3161), which receives the digest of each close and nothing else. null = no time-stamp.',
  ),
})

/** The whole configuration file, with every default here or in its section. */
export const configSchema = z
  .strictObject({
    name: z
      .string()
      .regex(
        /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
        'not a position name; expected letters, digits, dots, dashes (at most 63)',
      )
      .describe('Name of the position in metrics, logs and file names.'),
    mode: z
      .enum(['live', 'dry-run'])
      .default('live')
      .describe('dry-run decides and journals, but changes nothing at the venue.'),
    isolate: flag(
      'true runs the position in a separate worker thread; false lets it share one with other positions.',
    ),
    venue: venueSection,
    strategy: strategySection,
    inventory: inventorySection.prefault({}),
    risk: riskSection.prefault({}),
    quote: quoteSection.prefault({}),
    activation: z.enum(['auto', 'manual']).default('auto'),
    pacing: pacingSection.prefault({}),
    store: storeSection.prefault({}),
    http: httpSection.prefault({}),
    guard: guardSection
      .nullable()
      .prefault({})
      .describe(
        'The dead-man switch: a second process that acts when the daemon is silent. null = none is looked for.',
      ),
    log: z
      .strictObject({
        level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
        file: orNull(
          field.text,
          'Append to this file instead of standard output. After a rotation a new file is opened.',
        ),
      })
      .prefault({}),
    withdraw: withdrawSection.prefault({}),
    calibration: orNull(
      field.text,
      'A calibration written by `mizani calibrate --out`, relative to this file; strategies read it.',
    ),
    challenger: orNull(
      z.strictObject({
        use: field.text.describe('The name of a strategy in strategies/, or a path relative to this file.'),
        params: z
          .record(z.string(), z.unknown())
          .default({})
          .describe('Parameters, as the strategy declares them.'),
      }),
      'A second strategy, which `mizani challenger` lets trade in a simulated venue over the recording of this position. null = none.',
    ),
    record: recordSection.prefault({}),
    backtest: backtestSection.prefault({}),
    drills: drillsSection
      .prefault({})
      .describe('What `mizani drill` allows a bad night; the daemon does not read it.'),
    research: researchSection.prefault({}),
    rfq: orNull(rfqSection, 'Self-custody: signed orders instead of pooled capital. null = off.'),
    chain: orNull(
      chainSection,
      'Pooled capital: a chain on which transfers out of the wallet of the account are watched, read only. null = off.',
    ),
    feeds: feedsSection,
    fairValue: fairValueSection.prefault({}),
    notify: notifySection.prefault({}),
    alert: alertSection.prefault({}),
    treasury: orNull(
      treasurySection,
      'Capital that moves by policy between the position, a partner wallet and the bank. null = off.',
    ),
    close: closeSection.prefault({}),
  })
  .refine(({ mode, rfq }) => mode !== 'live' || rfq?.signer.envKey === undefined || rfq.signer.allowInLive, {
    path: ['rfq', 'signer', 'envKey'],
    message:
      'a key in a variable is for tests; use a keystore, a web3signer, mode dry-run or allowInLive: true',
  })
  .refine(({ rfq, guard }) => rfq === null || rfq.expiryMs <= longestLifeMs(rfq, guard !== null), {
    path: ['rfq', 'expiryMs'],
    message: `longer than ${GUARDED_LIFE_MS}, the default of rfq.maxLifeMs where a guard may watch; use at most that, or set rfq.maxLifeMs`,
  })
  .refine(({ challenger, record }) => challenger === null || record.path !== null, {
    path: ['challenger'],
    message: 'a challenger trades over the recording of the position; name a folder in record.path',
  })
  .refine(({ challenger, rfq }) => challenger === null || rfq === null, {
    path: ['challenger'],
    message: 'signed orders are not simulated; leave challenger out in self-custody',
  })
  .refine(({ rfq, chain }) => rfq === null || chain === null, {
    path: ['chain'],
    message: 'rfq names the chain of its own wallet and watches it; leave chain out in self-custody',
  })
  .refine(({ rfq, treasury }) => rfq === null || treasury === null, {
    path: ['treasury'],
    message: 'a treasury funds pooled capital; leave it out in self-custody',
  })

export type ConfigFile = z.output<typeof configSchema>
