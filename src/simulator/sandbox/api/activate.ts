import { z } from 'zod'
import { ASSETS, type Asset } from '../../../base/money/asset.ts'
import { transfer } from '../market/book.ts'
import { isoTime, strikes, type VenueState } from '../state.ts'
import { answer, type Answer, type Handler, refusal, type SimulatedRefusal } from './request.ts'

const ACTIVATION_MS = 4_000

export const ActivationRequest = z.object({ isActive: z.boolean() })

export const writeActivation: Handler = (venue, { body }) => {
  const parsed = ActivationRequest.safeParse(body)
  if (!parsed.success) return refusal('INVALID_REQUEST', 'isActive: expected true or false')
  return activatePosition(venue, parsed.data.isActive)
}

/**
 * POST /activate, which takes `activationDelayMs` and is answered when done. Activating also sweeps the wallet of an
 * active position. Deactivating leaves the router at once and returns the tokens at the end; if some cannot be
 * returned, the position stays active and the answer is a 207.
 */
export function activatePosition(venue: VenueState, isActive: boolean): Answer | SimulatedRefusal {
  if (venue.isActivating || strikes(venue, 'activation busy', venue.faults.busyActivation)) {
    return refusal('ACTIVATION_IN_PROGRESS', 'Another activation of this position is still running')
  }
  return isActive ? startActivation(venue) : startDeactivation(venue)
}

function startActivation(venue: VenueState): Answer | SimulatedRefusal {
  if (venue.selfCustody) {
    return refusal('SELF_CUSTODY_ENABLED', 'Disable self-custody before activating the pooled position')
  }
  return finishLater(
    venue,
    () => {
      sweep(venue, ASSETS, 'sweep-to-pool')
      venue.ours.isActive = true
    },
    { isActive: true },
  )
}

function startDeactivation(venue: VenueState): Answer | SimulatedRefusal {
  const { ours } = venue
  if (!ours.isActive) {
    if (venue.options.deactivateInactive === 'refuse') {
      return refusal('POSITION_INACTIVE', 'The position is not active')
    }
    return answer(200, activationBody(venue, { isActive: false }, venue.now))
  }
  const held = ASSETS.filter((asset) => ours.pool[asset] > 0n)
  const failed = held.filter((asset) => venue.poolShortfall[asset] > 0n)
  if (failed.length > 0 && failed.length === held.length) {
    return refusal('INSUFFICIENT_LIQUIDITY', 'The solver pool does not hold the tokens of this position')
  }
  if (strikes(venue, 'deactivation partial', venue.faults.partialDeactivation))
    failOneMore(venue, held, failed)
  const returned = held.filter((asset) => !failed.includes(asset))
  ours.isLeaving = true
  const finish = () => {
    sweep(venue, returned, 'sweep-to-wallet')
    ours.isLeaving = false
    ours.isActive = failed.length > 0
  }
  if (failed.length === 0) return finishLater(venue, finish, { isActive: false })
  const error = `Could not return ${failed.join(', ')}; the position is still active, repeat the call`
  return finishLater(venue, finish, { isActive: true, partial: true, returned, failed, error })
}

/** Adds one of the held tokens that could be returned. */
export function failOneMore(venue: VenueState, held: readonly Asset[], failed: Asset[]): void {
  const could = held.filter((asset) => !failed.includes(asset))
  const chosen = could[Math.floor(venue.random.faults() * could.length)]
  if (chosen !== undefined) failed.push(chosen)
}

type ActivationBody =
  | { readonly isActive: boolean; readonly partial?: undefined }
  | {
      readonly isActive: true
      readonly partial: true
      readonly returned: readonly Asset[]
      readonly failed: readonly Asset[]
      readonly error: string
    }

function finishLater(venue: VenueState, finish: () => void, body: ActivationBody): Answer {
  const delayMs = venue.options.activationDelayMs ?? ACTIVATION_MS
  const doneAt = venue.now + delayMs
  venue.isActivating = true
  venue.timeline.add(doneAt, () => {
    finish()
    venue.isActivating = false
    venue.activatedAt ??= doneAt
  })
  return answer(body.partial ? 207 : 200, activationBody(venue, body, doneAt), delayMs)
}

function activationBody(venue: VenueState, body: object, at: number): object {
  return { ...body, walletAddress: venue.options.walletAddress, updatedAt: isoTime(at) }
}

function sweep(venue: VenueState, assets: readonly Asset[], kind: 'sweep-to-pool' | 'sweep-to-wallet'): void {
  const { pool, wallet, transfers } = venue.ours
  const [source, target] = kind === 'sweep-to-pool' ? [wallet, pool] : [pool, wallet]
  for (const asset of assets) {
    const amount = source[asset]
    if (amount <= 0n) continue
    source[asset] = 0n
    target[asset] += amount
    transfers.push(transfer(venue, kind, asset, amount))
  }
}

const CustodyBody = z.object({ enabled: z.boolean() })

/** PUT /custody: self-custody requires that the shared pool holds none of our tokens. */
export const writeCustody: Handler = (venue, { body }) => {
  const parsed = CustodyBody.safeParse(body)
  if (!parsed.success) return refusal('INVALID_REQUEST', 'enabled: expected true or false')
  const { enabled } = parsed.data
  if (enabled && (venue.ours.isActive || venue.isActivating)) {
    return refusal('pooled_capital_active', 'Deactivate first: capital is still in the shared pool')
  }
  venue.selfCustody = enabled
  return answer(200, { enabled, makerAddress: venue.options.walletAddress, updatedAt: isoTime(venue.now) })
}
