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
      help: 'A limit over all positions of the fleet, USD, by its key in fleet.limits. Absent where it is not set.',
      labelNames: ['limit'],
      registers,
    }),
    usd: new Gauge({
      name: 'mizani_fleet_usd',
      help: 'What all positions of the fleet together come to against that limit, USD. A position that does not answer counts with what it showed last.',
      labelNames: ['limit'],
      registers,
    }),
    problems: new Gauge({
      name: 'mizani_fleet_problems',
      help: 'Why positions are not as the files of the fleet have them: its folder, its defaults, or single files. Above 0: the positions go on with what they had.',
      labelNames: ['about'],
      registers,
    }),
  }
}
