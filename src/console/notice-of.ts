import { RECONCILIATION_SEVERITY, type Observation } from '../engine/model/observation.ts'
import type { Spread } from '../engine/model/effect.ts'
import { formatAmount } from '../money/amount.ts'
import { ASSETS, type Amounts } from '../money/asset.ts'
import { formatDecimalText } from '../money/decimal-text.ts'
import { formatRate } from '../money/rate.ts'
import type { NoticeRow } from './api/api-types.ts'

export type Notice = Pick<NoticeRow, 'severity' | 'text'>

/** These have tables and charts of their own and would drown the log. */
export const UNLISTED = [
  'fillPosted',
  'entryPosted',
  'rowQuarantined',
  'midChanged',
  'quoteConfirmed',
  'sample',
] as const satisfies readonly Observation['type'][]
type Listed = Exclude<Observation['type'], (typeof UNLISTED)[number]>
type Tellers = { readonly [T in Listed]: (observation: Extract<Observation, { readonly type: T }>) => Notice }

const USD_DECIMALS = 18

/** A line of the event log: how grave, and a sentence. Null = it is not told there. */
export function noticeOf(observation: Observation): Notice | null {
  if (!Object.hasOwn(TELLERS, observation.type)) return null
  // The table has exactly the teller of each type; TypeScript cannot see that both come from one key.
  const teller = TELLERS[observation.type as Listed] as (observation: Observation) => Notice
  return teller(observation)
}

const TELLERS: Tellers = {
  midRefused: ({ reason }) => warning(`a mid was not taken: ${reason}`),
  beliefChanged: ({ belief, why }) =>
    belief === 'known'
      ? info('what the venue quotes is known')
      : warning(`what the venue quotes is ${belief}: ${why}`),
  requote: ({ reason, spread, because }) =>
    info(`requote (${reason}) to ${words(spread)}: ${because.join('; ') || 'no reason given'}`),
  clamped: ({ side, wanted, sent }) => warning(`${side} of ${wanted} bps clamped to ${sent}`),
  refusal: ({ message }) => warning(message),
  tradingStateChanged: ({ to, why }) =>
    to === 'HALTED'
      ? critical(`HALTED: ${why}`)
      : to === 'REDUCING'
        ? warning(`REDUCING: ${why}`)
        : info(`ACTIVE: ${why}`),
  reconciliationChanged: ({ state, why, unreconciled }) => ({
    severity: RECONCILIATION_SEVERITY[state],
    text:
      state === 'break'
        ? `the balances are not explained by the fills (${differences(unreconciled)}): ${why}`
        : `books against balances: ${state}${why === '' ? '' : `, ${why}`}`,
  }),
  feeModelChanged: ({ model, why }) => info(`the fee is taken ${model}: ${why}`),
  strategySuspended: ({ why }) => critical(`the strategy is suspended: ${why}`),
  strategyLoaded: ({ use, params }) => info(`strategy ${use} with ${JSON.stringify(params) ?? '{}'}`),
  activationChanged: ({ isActive, partial }) =>
    partial
      ? warning('only part of the position came back to the wallet')
      : info(isActive ? 'the position is active' : 'the position is in the wallet'),
  withdrawn: ({ text }) => warning(text),
  requestFailed: ({ failure: { route, message, outcome } }) =>
    warning(
      `${route} failed: ${message}${outcome === 'unknown' ? ' (it may or may not have happened)' : ''}`,
    ),
  operator: ({ who, why, command, accepted, answer }) =>
    (accepted ? info : warning)(
      `${who}: ${command} ${accepted ? 'accepted' : 'refused'} (${why}); ${answer}`,
    ),
  alert: ({ severity, message }) => ({ severity, text: message }),
  orderReserved: ({ salt, side, stable, usd, priceTzs }) =>
    info(
      `order ${salt}: ${side} ${formatDecimalText(usd, USD_DECIMALS)} ${stable} at ${formatRate(priceTzs)}`,
    ),
  orderWithheld: ({ salt, why }) => info(`order ${salt} was not signed: ${why}`),
  orderPlaced: ({ salt }) => info(`order ${salt} stands at the venue`),
  orderRejected: ({ salt, stage, code, message, isVoid }) =>
    warning(`order ${salt} was rejected at ${stage} (${code}): ${message}${isVoid ? '' : '; it stays owed'}`),
  orderFilled: ({ salt, fill, isWhole }) =>
    salt === null
      ? critical(`an order that we do not know was filled: ${fill.orderHash}`)
      : info(`order ${salt} ${isWhole ? 'is filled' : 'was filled in part'}`),
  orderFillUndone: ({ fill }) => critical(`the chain took a fill of order ${fill.orderHash} back`),
  orderResolved: ({ salt, how }) => info(`order ${salt} is owed no more: ${how}`),
  cancelSent: ({ salts, why }) =>
    info(`${salts.length} ${salts.length === 1 ? 'order' : 'orders'} being cancelled: ${why}`),
}

function words({ bidBps, askBps, quoteBid, quoteAsk }: Spread): string {
  return `bid ${quoteBid ? `${bidBps} bps` : 'off'}, ask ${quoteAsk ? `${askBps} bps` : 'off'}`
}

function differences(unreconciled: Partial<Amounts>): string {
  const texts = ASSETS.flatMap((asset) => {
    const amount = unreconciled[asset] ?? 0n
    return amount === 0n ? [] : [`${formatAmount(amount, asset)} ${asset}`]
  })
  return texts.length === 0 ? 'no difference' : texts.join(', ')
}

function info(text: string): Notice {
  return { severity: 'info', text }
}

function warning(text: string): Notice {
  return { severity: 'warning', text }
}

function critical(text: string): Notice {
  return { severity: 'critical', text }
}
