import { answer } from '../venue-request.ts'
import { isoTime } from '../venue-state.ts'
import type { Handler } from './handler.ts'

/** GET /account. */
export const readAccount: Handler = (venue) => {
  const account = {
    id: 'sandbox-provider',
    email: 'provider@sandbox.invalid',
    walletAddress: venue.options.walletAddress,
    isActive: venue.ours.isActive,
    createdAt: isoTime(venue.startMs),
  }
  if (venue.options.dialect === 'contract') return answer(200, account)
  return answer(200, { account: { ...account, displayName: 'Sandbox provider', kycStatus: 'approved' } })
}
