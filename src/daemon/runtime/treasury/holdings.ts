import { knownActive } from '../../../core/engine/activation/leaving.ts'
import type { EngineState } from '../../../core/engine/model/state.ts'
import { type Amounts, toTokens } from '../../../base/money/asset.ts'
import type { PartnerClient } from '../../../treasury/api/client.ts'
import type { PartnerOutcome } from '../../../treasury/api/outcome.ts'
import type { TreasuryEvent } from '../../../treasury/model/event.ts'
import type { Holdings, TreasuryAsset } from '../../../treasury/model/place.ts'
import { SHILLING } from '../../../treasury/policy/units.ts'

type Held = Readonly<Record<TreasuryAsset, bigint>>

type RemoteHoldings = {
  readonly treasury: Held | null
  /** Null = no ramp is used, or it could not be read. */
  readonly float: Held | null
  /** The wallet of our own partner user. */
  readonly address: string | null
  /** Rails that could not be read, and why. */
  readonly failed: readonly { readonly rail: string; readonly words: string }[]
}

/** Reads our own holdings from the partner API. Converts whole shillings to base units of the token. */
export async function readRemote(
  client: Pick<PartnerClient, 'readUser' | 'rampBalance'>,
  { userId, usesRamp }: { readonly userId: string; readonly usesRamp: boolean },
): Promise<RemoteHoldings> {
  const [user, float] = await Promise.all([
    client.readUser({ id: userId }),
    usesRamp ? client.rampBalance({}) : null,
  ])
  const failed = [...failureOf('treasury', user), ...(float === null ? [] : failureOf('float', float))]
  const balances = user.kind === 'answered' ? user.value : null
  const { balanceTzs = null, balanceUsdc = null, balanceUsdt = null } = balances ?? {}
  if (balances !== null && balanceTzs === null)
    failed.push({ rail: 'treasury', words: 'the venue shows no balance of shillings' })
  return {
    treasury:
      balanceTzs === null
        ? null
        : { NTZS: balanceTzs * SHILLING, USDC: balanceUsdc ?? 0n, USDT: balanceUsdt ?? 0n },
    float:
      float?.kind !== 'answered'
        ? null
        : { NTZS: float.value.tokenBalance ?? 0n, USDC: float.value.usdcBalance, USDT: 0n },
    address: balances?.walletAddress?.toLowerCase() ?? null,
    failed,
  }
}

function failureOf(rail: string, outcome: PartnerOutcome<unknown>): { rail: string; words: string }[] {
  return outcome.kind === 'answered' ? [] : [{ rail, words: outcome.words }]
}

/**
 * Returns the event with all holdings. The position's part comes from its own ledger: the venue shows the pool or the
 * wallet, the ledger has both. No route shows the platform's wallet.
 */
export function holdingsEvent(
  t: number,
  { treasury, float }: Pick<RemoteHoldings, 'treasury' | 'float'>,
  state: EngineState,
): Extract<TreasuryEvent, { readonly type: 'holdingsSeen' }> {
  const { pool, wallet } = state.book.accounts
  const isKnown = state.book.entries > 0
  const holdings: Holdings = {
    pool: isKnown ? heldOf(pool) : null,
    lpWallet: isKnown ? heldOf(wallet) : null,
    treasury,
    platform: null,
    float,
  }
  const { confirmed, status } = state.quoting
  const quote = status === 'confirmed' ? confirmed : null
  const isActive = knownActive(state)
  return {
    type: 'holdingsSeen',
    t,
    holdings,
    mid: state.market.mid,
    quote: {
      bidBps: quote?.quoteBid === true ? quote.bidBps : null,
      askBps: quote?.quoteAsk === true ? quote.askBps : null,
      isActive: isActive === true,
      isHalted: state.latch.halted !== null,
      isKnown: isActive === false || (isActive === true && status === 'confirmed'),
    },
  }
}

function heldOf({ NTZS, USDC, USDT }: Readonly<Amounts>): Held {
  return { NTZS, USDC: toTokens(USDC, 'USDC'), USDT: toTokens(USDT, 'USDT') }
}
