import { z } from 'zod'
import { money, orNull } from './field.ts'

/** Decimals of USD amounts here. */
export const FLEET_USD_DECIMALS = 6

const limitsSection = z.strictObject({
  maxLossUsd: orNull(
    money(FLEET_USD_DECIMALS),
    'USD lost by all positions together, each since the start of its ledger; above it all are halted.',
  ),
  maxOutstandingUsd: orNull(
    money(FLEET_USD_DECIMALS),
    'USD of outstanding signed orders of all positions together; above it all are paused at the safe quote.',
  ),
  maxDeployedUsd: orNull(
    money(FLEET_USD_DECIMALS),
    'USD deployed at venues by all positions together; above it all are paused at the safe quote.',
  ),
})

/** The settings that the positions of a fleet share besides their defaults; this block makes a folder a fleet. */
export const fleetSection = z.strictObject({
  limits: limitsSection
    .prefault({})
    .describe('Limits over the whole fleet, beside those of each position. null = none.'),
})

/** The limits over the whole fleet, in millionths of a dollar. */
export type FleetLimits = z.output<typeof limitsSection>
export type FleetSettings = z.output<typeof fleetSection>
