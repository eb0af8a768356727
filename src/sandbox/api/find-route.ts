import { writeActivation, writeCustody } from './activate.ts'
import { readSwapRate, takeSwap } from './public-swap.ts'
import { readQuote } from './quote.ts'
import { readAccount, readBalances, readFills, readRate, readRfqInfo } from './reads.ts'
import type { Handler } from './request.ts'
import { takeOrder } from './rfq-order.ts'
import { writeSpread } from './spread.ts'
import { writeWithdrawal } from './withdraw.ts'

export type Route = {
  /** As the fault options name it: `GET /fills`. */
  readonly name: string
  readonly handler: Handler
  /** No LP key is asked. */
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
  'GET /fills': readFills,
  'POST /withdraw': writeWithdrawal,
  'PUT /custody': writeCustody,
  'GET /rfq/info': readRfqInfo,
  'POST /rfq/orders': takeOrder,
})
const OBSERVED = new Map([...CONTRACT, ...lpRoute('PATCH /activate', writeActivation)])

/** The route of a request, or null. A path may be written without `/api` (partner API). */
export function findRoute(dialect: 'contract' | 'observed', method: string, path: string): Route | null {
  const full = path.startsWith('/v1/') ? `/api${path}` : path
  return (dialect === 'observed' ? OBSERVED : CONTRACT).get(`${method} ${full}`) ?? null
}

function table(lp: Readonly<Record<string, Handler>>): Map<string, Route> {
  const routes = new Map<string, Route>([
    [`GET ${PUBLIC_PREFIX}/swap/rate`, { name: 'GET /swap/rate', handler: readSwapRate, isPublic: true }],
    [`POST ${PUBLIC_PREFIX}/swap`, { name: 'POST /swap', handler: takeSwap, isPublic: true }],
  ])
  for (const [name, handler] of Object.entries(lp)) {
    for (const [key, route] of lpRoute(name, handler)) routes.set(key, route)
  }
  return routes
}

function lpRoute(name: string, handler: Handler): Map<string, Route> {
  const [method, path] = name.split(' ')
  return new Map([[`${method} ${LP_PREFIX}${path}`, { name, handler, isPublic: false }]])
}
