import { z } from 'zod'
import { avellanedaStoikovPaths, stepsOf } from '../../../../core/models/quotes/avellaneda-stoikov.ts'
import { defineDoor, real, whole } from '../door.ts'

const MAX_STEPS = 1_000_000
/** About twenty seconds of a core. */
const MAX_DRAWS = 2e8

/** The simulation table of the paper, for any parameters. */
export const avellanedaStoikovDoor = defineDoor({
  name: 'avellaneda-stoikov',
  summary: 'simulate the inventory strategy and the symmetric one with its average spread',
  source: 'Avellaneda, Stoikov 2008, section 3.3',
  params: z
    .strictObject({
      s: real(0, 1e9, 'the mid at the start, in units of money'),
      T: real(1e-6, 1e6, 'horizon, in units of time'),
      sigma: real(0, 1e6, 'volatility of the mid, money per square root of a unit of time'),
      dt: real(1e-9, 1e6, 'length of a step; fills have probability lambda dt, at most 1'),
      k: real(1e-6, 1e6, 'decay of the fills, per unit of distance'),
      A: real(0, 1e9, 'fills per side and unit of time at distance 0'),
      gamma: real(1e-9, 1e6, 'risk aversion, per unit of money'),
      paths: whole(2, 1_000_000, 'number of simulated paths').default(20_000),
      seed: whole(0, 2_147_483_647, 'seed of all random draws').default(1),
    })
    .refine(({ T, dt }) => dt <= T, {
      path: ['dt'],
      message: 'longer than the horizon; must be at most T',
    })
    .refine(({ T, dt }) => T / dt <= MAX_STEPS, {
      path: ['dt'],
      message: `too many steps; must be at least T / ${MAX_STEPS}`,
    })
    .refine(({ T, dt, paths }) => paths * stepsOf({ horizon: T, step: dt }) <= MAX_DRAWS, {
      path: ['paths'],
      message: `too many steps in total; paths times T / dt must be at most ${MAX_DRAWS}`,
    }),
  example: '{"s":100,"T":1,"sigma":2,"dt":0.005,"k":1.5,"A":140,"gamma":0.1,"paths":20000,"seed":1}',
  figures: {
    '*.averageSpread':
      'mean of the whole spread over the steps; inventory quotes around its reservation price, symmetric around the mid',
    '*.profit': 'mean over the paths of cash plus inventory at the last mid',
    '*.profitSe': 'its standard error',
    '*.profitStd': 'standard deviation of the profit between paths',
    '*.finalQ': 'mean inventory at the horizon, lots',
    '*.finalQStd': 'its standard deviation between paths, lots',
  },
  run: ({ s, T, sigma, dt, k, A, gamma, paths, seed }) =>
    avellanedaStoikovPaths({
      start: s,
      horizon: T,
      sigma,
      step: dt,
      k,
      a: A,
      riskAversion: gamma,
      paths,
      seed,
    }),
})
