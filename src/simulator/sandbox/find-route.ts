import { patchActivation, writeMeasuredSpread, writeMeasuredWithdrawal } from './measured/writes.ts'
import {
  readMeasuredQuote,
  readMeasuredAccount,
  readMeasuredBalances,
  readMeasuredRate,
  readMeasuredSwapRate,
} from './measured/reads.ts'
import type { SimulatedApi } from './options.ts'
import { writeActivation, writeCustody } from './api/activate.ts'
import { readSwapRate, takeSwap } from './api/public-swap.ts'
import { readQuote, readAccount, readBalances, answerFills, readRate, readRfqInfo } from './api/reads.ts'
import type { Handler } from './api/request.ts'
import { takeSignedOrder } from './api/rfq-order.ts'
import { writeSpread, writeWithdrawal } from './api/writes.ts'

type Route = {
  /** The name in the fault options, such as `GET /fills`. */
  readonly name: string
  readonly handler: Handler
  /** Requires no LP key. */
  readonly isPublic: boolean
}

const LP_PREFIX = '/api/v1/mm'
const PUBLIC_PREFIX = '/api/v1'

const CONTRACT = table({
  'GET /account': readAccount,
  'GET /balances': readBalances,
  'GET /rate': readRate,
  'GET /quote': readQuote,
  'PATCH /spread': writeSpread,
  'POST /activate': writeActivation,
  'GET /fills': answerFills,
  'POST /withdraw': writeWithdrawal,
  'PUT /custody': writeCustody,
  'GET /rfq/info': readRfqInfo,
  'POST /rfq/orders': takeSignedOrder,
})
/** The measured venue has no routes for custody and signed orders. */
const MEASURED = table(
  {
    'GET /account': readMeasuredAccount,
    'GET /balances': readMeasuredBalances,
    'GET /rate': readMeasuredRate,
    'GET /quote': readMeasuredQuote,
    'PATCH /spread': writeMeasuredSpread,
    'PATCH /activate': patchActivation,
    'GET /fills': answerFills,
    'POST /withdraw': writeMeasuredWithdrawal,
  },
  readMeasuredSwapRate,
)

/** Returns the route of a request, or null. A path may omit `/api` (partner API). */
export function findRoute(venue: SimulatedApi, method: string, path: string): Route | null {
  return tableOf(venue).get(`${method} ${fullPath(path)}`) ?? null
}

/** Returns the methods of a path; empty = no such path. */
export function methodsOf(venue: SimulatedApi, path: string): readonly string[] {
  const ending = ` ${fullPath(path)}`
  return [...tableOf(venue).keys()]
    .filter((key) => key.endsWith(ending))
    .map((key) => key.slice(0, -ending.length))
}

function tableOf(venue: SimulatedApi): Map<string, Route> {
  return venue === 'contract' ? CONTRACT : MEASURED
}

function fullPath(path: string): string {
  return path.startsWith('/v1/') ? `/api${path}` : path
}

function table(lp: Readonly<Record<string, Handler>>, rate: Handler = readSwapRate): Map<string, Route> {
  const routes = new Map<string, Route>([
    [`GET ${PUBLIC_PREFIX}/swap/rate`, { name: 'GET /swap/rate', handler: rate, isPublic: true }],
    [`POST ${PUBLIC_PREFIX}/swap`, { name: 'POST /swap', handler: takeSwap, isPublic: true }],
  ])
  for (const [name, handler] of Object.entries(lp)) {
    const [method, path] = name.split(' ')
    routes.set(`${method} ${LP_PREFIX}${path}`, { name, handler, isPublic: false })
  }
  return routes
}
