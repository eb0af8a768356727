import { z } from 'zod'
import { type Asset, ASSETS, parseTokens } from '../../base/money/asset.ts'
import { MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../../base/money/bps.ts'
import { FaultsSchema } from './faults.ts'
import { OBSERVED_IS_GONE } from './observed-is-gone.ts'
import { PartnerOptionsSchema } from './partner/options.ts'

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const feeBps = z.int().min(0).max(1_000)
const spreadBps = z.int().min(MIN_SPREAD_BPS).max(MAX_SPREAD_BPS)
const durationMs = z.number().min(0)
const shilling = z.enum(['TZS_TOKEN', 'NTZS'])

const shiftBps = z.int().min(-9_000).max(90_000)

/** Options only for `measured`, which has its own fee and bid formula and no request limit at the LP API. */
const MeasuredOptionsSchema = z.strictObject({
  /** The configuration row of GET /rate and GET /quote, bps from the mid of the market; null = no row. */
  rateBps: shiftBps.nullable().default(-32),
  /** The mid of each pair in bps from the mid of the market: fills execute at it, and only the public rate shows it. */
  pairBps: z.strictObject({ USDC: shiftBps.default(0), USDT: shiftBps.default(0) }).prefault({}),
})

const amountOf = (asset: Asset, byDefault: string) =>
  z
    .string()
    .refine((text) => {
      const parsed = parseTokens(text, asset)
      return parsed.ok && parsed.value >= 0n
    }, `not an amount of ${asset}`)
    .default(byDefault)

/**
 * Everything that makes one sandbox, with the defaults of `venue.md`. Amounts are decimal text, durations
 * are virtual milliseconds. Equal options give an equal venue, request for request.
 */
export const SandboxOptionsSchema = z.strictObject({
  port: z.int().min(0).max(65_535).default(0),
  /** Serves the market's own rate as a reference feed; 0 = a free port, null = not served. */
  feedPort: z.int().min(0).max(65_535).nullable().default(null),
  seed: z.int().default(1),
  /** A market by its name, or by the path of a file with the differences from `normal`. */
  scenario: z.string().min(1).default('normal'),
  /** Multiplies the scenario's number of small takers. */
  retailFactor: z.number().min(0).max(100).default(1),
  /**
   * The source of the missing currency. The LP API does not report this movement, so a daemon's books show a break:
   * for runs without a daemon, or for testing its treasury at the same time.
   */
  restocking: z.enum(['none', 'weekly', 'updates']).default('none'),
  /** No taker comes before this time after the first activation; 0 = they come from the start. */
  quietMs: durationMs.default(0),
  /** Virtual ms per wall ms; 0 = time moves only through `advance`. Only the server uses it. */
  speed: z.number().min(0).default(1),
  /** `contract` is the documented venue, `measured` the one that docs/measured-venue.md describes. */
  venue: z.enum(['contract', 'measured']).default('contract'),
  /** In options for 0.2.0 and earlier. */
  dialect: z.literal('contract', OBSERVED_IS_GONE).optional(),
  measured: MeasuredOptionsSchema.prefault({}),
  apiKey: z.string().min(1).default('mm_test_sandbox'),
  /** Valid keys without permissions: 403. */
  noPermissionKeys: z.array(z.string().min(1)).default([]),
  /** The bearer key for a taker's POST /swap; null = not required. */
  partnerKey: z.string().min(1).nullable().default(null),
  /** First moment of virtual time; null = now for the server, a Monday morning for the bare model. */
  startMs: z.int().nullable().default(null),
  requestsPerMinute: z.int().min(1).default(60),
  publicRequestsPerMinute: z.int().min(1).default(60),
  protocolFeeBps: feeBps.default(10),
  /** Who bears the protocol fee: the provider's position, or the pool as a whole. */
  feeFrom: z.enum(['position', 'pool']).default('position'),
  /** Rows of `contract` exactly as in the contract: only symbols, without the chain of a token. */
  bareRows: z.boolean().default(false),
  bidFormula: z.enum(['divide', 'multiply']).default('divide'),
  /** Rotation: providers within this of the best take turns. */
  toleranceBps: z.int().min(0).default(5),
  /** The shilling token's symbol at the public endpoints; each listed symbol is accepted. */
  shillingSymbol: z.union([shilling, z.array(shilling).min(1)]).default('TZS_TOKEN'),
  /** The capital, in the wallet while the position opens inactive and in the pool otherwise. */
  opening: z
    .strictObject({
      NTZS: amountOf('NTZS', '40000000'),
      USDC: amountOf('USDC', '12000'),
      USDT: amountOf('USDT', '4000'),
      'USDT.bnb': amountOf('USDT.bnb', '0'),
    } satisfies Record<(typeof ASSETS)[number], unknown>)
    .prefault({}),
  isActive: z.boolean().default(false),
  spread: z.strictObject({ bidBps: spreadBps.default(500), askBps: spreadBps.default(500) }).prefault({}),
  /** Null: 4 s, and at the measured venue 16.7 s to activate and 12.5 s to deactivate. */
  activationDelayMs: durationMs.nullable().default(null),
  withdrawalDelayMs: durationMs.default(1_500),
  /** Delay between two events of a taker's stream. */
  swapStepMs: durationMs.default(400),
  /** Some implementations pay the taker exactly the minimum. */
  paysSlippageFloor: z.boolean().default(false),
  /** The answer to deactivating an inactive position: the same answer again, or POSITION_INACTIVE. */
  deactivateInactive: z.enum(['ok', 'refuse']).default('ok'),
  /** The provider's wallet, also the registered maker of its orders. */
  walletAddress: address.default('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'),
  rfq: z
    .strictObject({
      solverWallet: address.default('0x70997970C51812dc3A010C7d01b50e0d17dc79C8'),
      chainId: z.int().default(8_453),
      exchange: address.default('0xDef1C0ded9bec7F1a1670819833240f027b25EfF'),
    })
    .prefault({}),
  /** The account that fills signed orders; used only with a chain. */
  solver: z
    .strictObject({
      /** late: fills only orders that are about to expire. */
      policy: z.enum(['soon', 'late', 'never']).default('soon'),
      /** The mean time between two fill attempts, wall milliseconds. */
      fillEveryMs: z.number().min(10).default(10_000),
      /** The probability that an attempt is made. */
      chance: z.number().min(0).max(1).default(1),
      /** 1 = a whole order at a time, 4 = a quarter of it. */
      parts: z.int().min(1).max(1_000).default(1),
      /** With `late`: the maximum remaining life of an order. */
      lateMs: durationMs.default(15_000),
      /** Whether GET /fills lists fills of signed orders too. */
      listsFills: z.boolean().default(false),
    })
    .prefault({}),
  faults: FaultsSchema.prefault({}),
  /** The partner API, on the same port. */
  partner: PartnerOptionsSchema.prefault({}),
})

/** Options as a caller writes them, all optional. */
export type SandboxOptionsInput = z.input<typeof SandboxOptionsSchema>
/** Options with every default filled in; also a valid input. */
export type SandboxOptions = z.output<typeof SandboxOptionsSchema>
/** The API that the simulated venue speaks: that of the contract or the measured one. */
export type SimulatedApi = SandboxOptions['venue']
