import { z } from 'zod'
import { formatTokens } from '../../../base/money/asset.ts'
import type { TreasuryState } from '../../../treasury/state.ts'
import { balanceOf } from '../../../treasury/books/books.ts'
import { spendOf } from '../../../treasury/books/post-leg.ts'
import { isByPosition, isEnded } from '../../../treasury/intents/legs.ts'
import { activeIntents } from '../../../treasury/intents/plan-intent.ts'
import { type ReadPlace, TREASURY_ASSETS, type TreasuryAsset } from '../../../treasury/model/place.ts'
import { decimal, ms, type Shown } from '../fields.ts'
import { perToken, token, tokenTexts } from './treasury-fields.ts'

const READ_PLACES: readonly ReadPlace[] = ['pool', 'lpWallet', 'treasury', 'platform', 'float']
const readPlace = z.enum(['pool', 'lpWallet', 'treasury', 'platform', 'float'])

/** Levels of a policy for a token. `counted`: pool, LP wallet and treasury, which the band is about. */
export const bandSchema = z.object({
  target: decimal,
  refillBelow: decimal,
  skimAbove: decimal,
  counted: decimal,
})
export type BandView = Shown<z.infer<typeof bandSchema>>

/** The location of every unit, and the free part. */
export const holdingsSchema = z.object({
  /** When the balances were read; null = not yet. */
  at: ms.nullable(),
  places: z.array(
    z.object({
      place: readPlace,
      /** The last reading; null = it could not be read. */
      onHand: perToken.nullable(),
      /** The book balance; amounts already sent are excluded. */
      booked: perToken,
      /** The amount that open intents will take but have not sent yet. */
      reserved: perToken,
      /** Booked less reserved. */
      available: perToken,
    }),
  ),
  tokens: z.array(
    z.object({
      asset: token,
      /** The sum over all places that could be read. */
      onHand: decimal,
      inTransit: decimal,
      claims: decimal,
      reserved: decimal,
      available: decimal,
      /** Null = the policy has no band for it. */
      band: bandSchema.nullable(),
    }),
  ),
  /** Rails and places that cannot be read: nothing new is started over them. */
  unreadable: z.array(z.object({ rail: z.string(), words: z.string(), since: ms })),
})
export type HoldingsView = Shown<z.infer<typeof holdingsSchema>>

export function holdingsView(state: TreasuryState): HoldingsView {
  const reserved = reservations(state)
  const places = READ_PLACES.map((place) => {
    const held = state.holdings?.[place] ?? null
    const kept = (asset: TreasuryAsset) => reserved[place][asset]
    const booked = (asset: TreasuryAsset) => balanceOf(state.books, place, asset)
    return {
      place,
      onHand: held === null ? null : tokenTexts((asset) => held[asset]),
      booked: tokenTexts(booked),
      reserved: tokenTexts(kept),
      available: tokenTexts((asset) => booked(asset) - kept(asset)),
    }
  })
  const { holdingsAt, unreadable } = state
  return {
    at: holdingsAt,
    places,
    tokens: TREASURY_ASSETS.map((asset) => tokenRow(state, asset, reserved)),
    unreadable: unreadable.map((one) => ({ ...one })),
  }
}

type Reservations = Readonly<Record<ReadPlace, Record<TreasuryAsset, bigint>>>

function tokenRow(
  state: TreasuryState,
  asset: TreasuryAsset,
  reserved: Reservations,
): HoldingsView['tokens'][number] {
  const { holdings, books, config } = state
  const sum = (places: readonly ReadPlace[], amountOf: (place: ReadPlace) => bigint) =>
    places.reduce((total, place) => total + amountOf(place), 0n)
  const onHand = (place: ReadPlace) => holdings?.[place]?.[asset] ?? 0n
  const kept = sum(READ_PLACES, (place) => reserved[place][asset])
  const text = (amount: bigint) => formatTokens(amount, asset)
  const band = config.policy.bands[asset]
  return {
    asset,
    onHand: text(sum(READ_PLACES, onHand)),
    inTransit: text(sumOfAccounts(state, 'transit:', asset)),
    claims: text(sumOfAccounts(state, 'claim:', asset)),
    reserved: text(kept),
    available: text(sum(READ_PLACES, (place) => balanceOf(books, place, asset)) - kept),
    band:
      band === undefined
        ? null
        : {
            target: text(band.target),
            refillBelow: text(band.refillBelow),
            skimAbove: text(band.skimAbove),
            counted: text(sum(['pool', 'lpWallet', 'treasury'], onHand)),
          },
  }
}

function sumOfAccounts({ books }: TreasuryState, prefix: string, asset: TreasuryAsset): bigint {
  return Object.entries(books.accounts)
    .filter(([account]) => account.startsWith(prefix))
    .reduce((sum, [, held]) => sum + held[asset], 0n)
}

/** Returns the amount reserved by each open intent's next unsent step. */
function reservations(state: TreasuryState): Reservations {
  const none = () => ({ NTZS: 0n, USDC: 0n, USDT: 0n })
  const kept: Reservations = {
    pool: none(),
    lpWallet: none(),
    treasury: none(),
    platform: none(),
    float: none(),
  }
  for (const { legs } of activeIntents(state)) {
    const open = legs.filter((leg) => !isEnded(leg))
    const next = open.find(({ kind }) => kind === 'lpWithdrawal' || !isByPosition(kind))
    if (next === undefined || (next.stage !== 'planned' && next.stage !== 'quoted')) continue
    // A withdrawal's amount stays in the pool until the position is out of the market.
    const place = open[0]?.kind === 'lpDeactivation' ? 'pool' : next.from
    if (place !== 'bank' && place !== 'phone') kept[place][next.asset] += spendOf(next)
  }
  return kept
}
