import { Gauge, Registry } from 'prom-client'

/** Metrics of the fleet as a whole, without the label `position`. */
export type FleetMetrics = {
  readonly registry: Registry
  readonly limitUsd: Gauge<'limit'>
  readonly usd: Gauge<'limit'>
  readonly problems: Gauge<'about'>
}

export function createFleetMetrics(): FleetMetrics {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    limitUsd: new Gauge({
      name: 'mizani_fleet_limit_usd',
      help: 'A limit over all positions of the fleet, USD, by its key in fleet.limits. Absent if it is not set.',
      labelNames: ['limit'],
      registers,
    }),
    usd: new Gauge({
      name: 'mizani_fleet_usd',
      help: 'Amount of all positions of the fleet together that counts against that limit, USD. A position that does not answer counts with its last known amount.',
      labelNames: ['limit'],
      registers,
    }),
    problems: new Gauge({
      name: 'mizani_fleet_problems',
      help: 'Problems that keep files of the fleet from taking effect: its folder, its defaults, or single files. Above 0: the positions continue with their previous configuration.',
      labelNames: ['about'],
      registers,
    }),
  }
}
