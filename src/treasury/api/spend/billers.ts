import { z } from 'zod'
import { isRecord } from '../../../base/record.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { partnerEndpoint } from '../kit/endpoint.ts'
import { maybe, words } from '../kit/read-answer.ts'

const biller = z.object({
  code: z.string().min(1).max(200),
  referenceLabel: words,
  referenceKind: words,
  referenceMinLength: maybe(z.number()),
  referenceMaxLength: maybe(z.number()),
  /** Only the rail's fee: a service fee applies to every payment. */
  railFeeFreeUnder20k: maybe(z.boolean()),
  feeFreeUnder20k: maybe(z.boolean()),
  feeNote: words,
})

type Biller = z.output<typeof biller>

type BillerCatalogue = {
  readonly categories: readonly {
    readonly key: string
    readonly label: string | null
    readonly billers: readonly Biller[]
  }[]
  /** Number of entries that are not billers. */
  readonly unreadable: number
}

/** Reads `{ categories }`, as used in practice, or a plain array of categories or billers, as in the route's schema. */
function readBillers(body: unknown): Result<BillerCatalogue, string> {
  const rows = isRecord(body) ? body['categories'] : body
  if (!Array.isArray(rows)) return err('the body: neither categories nor a list of billers')
  const isGrouped = rows.some((row: unknown) => isRecord(row) && Array.isArray(row['billers']))
  const groups: readonly unknown[] = isGrouped ? rows : [{ key: 'all', label: null, billers: rows }]
  let unreadable = 0
  const categories = groups.flatMap((group) => {
    const given = isRecord(group) && Array.isArray(group['billers']) ? group : null
    if (given === null) {
      unreadable += 1
      return []
    }
    const billers = (given['billers'] as readonly unknown[]).flatMap((row) => {
      const parsed = biller.safeParse(row)
      if (!parsed.success) unreadable += 1
      return parsed.success ? [parsed.data] : []
    })
    return [{ key: textOf(given['key']) ?? 'other', label: textOf(given['label']), billers }]
  })
  return ok({ categories, unreadable })
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, 200) : null
}

export const listBillers = partnerEndpoint({
  route: 'GET /spend/billers',
  summary: 'Lists the billers with the form of their references.',
  params: z.strictObject({}),
  answer: readBillers,
  command: { resource: 'spend', verb: 'billers', example: '' },
})
