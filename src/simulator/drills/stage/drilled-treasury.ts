import type { DrilledPosition } from '../model/drilled-position.ts'
import { stuckPayment } from '../model/stuck-payment.ts'

/** A part of a configuration as written. */
export type Section = Readonly<Record<string, unknown>>

/** The variables that a drilled configuration names; their values are the drill's own. */
export const DRILL_ENV = {
  key: 'MIZANI_DRILL_KEY',
  token: 'MIZANI_DRILL_TOKEN',
  receiver: 'MIZANI_DRILL_RECEIVER',
  hmac: 'MIZANI_DRILL_HMAC',
  /** The wallet's published key, which is worth something only on a simulated chain. */
  maker: 'MIZANI_DRILL_MAKER',
  partner: 'MIZANI_DRILL_PARTNER',
  /** The tokens of the people who order and approve treasury movements. */
  firstPerson: 'MIZANI_DRILL_PERSON_A',
  secondPerson: 'MIZANI_DRILL_PERSON_B',
} as const

/** Returns the settings of these names that are written; omitted ones keep their defaults. */
export function pick(from: Section, names: readonly string[]): Section {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(from, name) ? [[name, from[name]]] : [])))
}

export function section(value: unknown): Section {
  return typeof value === 'object' && value !== null ? (value as Section) : {}
}

/** The desk's user at the simulated partner API, and the destination wallet of top-ups. */
export type DrilledPartner = { readonly userId: string; readonly lpWallet: string }

/** The two people of a drill: each has a token with every permission that a treasury needs. */
export const PEOPLE = [
  { name: 'drill-orders', env: DRILL_ENV.firstPerson },
  { name: 'drill-approves', env: DRILL_ENV.secondPerson },
] as const
const MAY = ['read', 'operate', 'withdraw', 'approve'] as const

/** Settings of a treasury without addresses, keys, accounts or files. */
const TREASURY_MANNERS = [
  'approval',
  'replayWindowMs',
  'keysHonoured',
  'pollEveryMs',
  'exit',
  'supplyEveryMs',
  'reconcileEveryMs',
] as const

/** Published accounts that the simulated venue pays to. */
const ACCOUNTS = {
  bank: { bank: { bankCode: 'CRDB', accountNumber: '0150123456745' } },
  phone: { phone: '0754000777' },
} as const
const OWN_PHONE = '0754000111'

/** Returns the sections that a treasury adds to the drilled configuration. `near` resolves a file of the desk. */
export function drilledTreasury(
  { data, config }: Pick<DrilledPosition, 'data' | 'config'>,
  { userId, lpWallet }: DrilledPartner,
  { venueUrl, near }: { readonly venueUrl: string; readonly near: (path: string) => string },
): Section {
  const given = section(data['treasury'])
  const paid = stuckPayment(config)
  const { calendar } = given
  return {
    ...pick(given, TREASURY_MANNERS),
    partner: {
      ...pick(section(given['partner']), ['requestTimeoutMs']),
      baseUrl: venueUrl,
      apiKey: `!env ${DRILL_ENV.partner}`,
    },
    userId,
    lpWallet,
    phone: given['phone'] == null ? null : OWN_PHONE,
    mode: 'live',
    policy: { ...section(given['policy']), profitsTo: null, skimCron: null },
    payees: paid?.kind === 'payout' ? [{ name: paid.payee, ...ACCOUNTS[paid.to], admitted: true }] : [],
    ...(typeof calendar === 'string' ? { calendar: near(calendar) } : {}),
  }
}

/** Returns the tokens of the people who order and approve, in the form of `http.tokens`. */
export function peopleTokens(): readonly Section[] {
  return PEOPLE.map(({ name, env }) => ({ name, token: `!env ${env}`, may: MAY }))
}
