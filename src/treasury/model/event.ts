import type { Ms } from '../../base/time.ts'
import type { Rate } from '../../base/money/rate.ts'
import type { TreasuryConfig } from './config.ts'
import type { LegPlace } from './effect.ts'
import type { LegQuote } from './intent.ts'
import type { Holdings, TreasuryAsset } from './place.ts'
import type { OwnQuote, PlannedIntent, PlanWarning } from './plan-types.ts'

type At = { readonly t: Ms }

/**
 * A step of the policy with the random id of its future intent. Plans are journalled, so that the fold over old events
 * does not depend on today's policy.
 */
export type PlannedStep = {
  readonly id: string
  readonly step: PlannedIntent
  /** The intent waits for the look-up of its payee's registered name. Absent = no look-up. */
  readonly isNamed?: true
}

/** The status of a venue resource, in one vocabulary for all kinds. */
export type ResourceStatus =
  | 'open'
  | 'waiting_for_payer'
  | 'queued'
  | 'in_transit'
  | 'completed'
  | 'reverted'
  | 'failed'
  | 'review'
  | 'reconcile_required'
  | 'other'

/** The meaning of an answer for a leg, for any kind of resource. */
export type LegFacts = {
  readonly resourceId: string | null
  readonly status: ResourceStatus
  readonly reference: string | null
  readonly instructions: string | null
  readonly received: bigint | null
  readonly fee: bigint | null
  readonly words: string
}

/** An event of the treasury. Each is numbered and journalled before its effects are performed. */
export type TreasuryEvent =
  /**
   * `author` is the token that loaded the policy; null = the start of the process. The hash covers everything that an
   * approval depends on: policy, payees and approval rules.
   */
  | (At & {
      readonly type: 'configured'
      readonly config: TreasuryConfig
      readonly policyHash: string
      readonly author: string | null
    })
  /**
   * The process starts again, and every attempt in flight is silent. `isRestored`: the store comes from a backup and
   * may lack payments, so nothing is sent until a person has confirmed the balances.
   */
  | (At & {
      readonly type: 'restarted'
      readonly version: string
      readonly isRestored: boolean
      /** The partner API's address. Once set, a key protects only where the venue has shown that it does. */
      readonly venue?: string
    })
  /** Whether the partner's key is live, according to the venue. */
  | (At & { readonly type: 'modeSeen'; readonly isLive: boolean })
  /** The position was halted: approved intents wait for another approval. `since` identifies the halt. */
  | (At & { readonly type: 'halted'; readonly since: Ms; readonly why: string })
  /** Time has passed: due work is done. */
  | (At & { readonly type: 'tick' })
  /** The answer to `plan`. Omitted without steps and new warnings. Absent `warnings` = unchanged. */
  | (At & {
      readonly type: 'planned'
      readonly steps: readonly PlannedStep[]
      readonly warnings?: readonly PlanWarning[]
    })
  | (At & {
      readonly type: 'holdingsSeen'
      readonly holdings: Holdings
      readonly mid: Rate | null
      /** On-chain holdings of the venue's solver, which pay pools back; absent = no chain is configured. */
      readonly solver?: Readonly<Record<TreasuryAsset, bigint>>
      /** The position's own spread and whether it trades. */
      readonly quote: OwnQuote
    })
  /** Net flow of fills since the previous event: inflow (+) and outflow (-), base units of each token. */
  | (At & {
      readonly type: 'flowSeen'
      readonly flow: Readonly<Record<TreasuryAsset, bigint>>
      /** Tokens in the pool that the venue had not reported before; absent = no new tokens. */
      readonly opened?: Readonly<Record<TreasuryAsset, bigint>>
      /** The position's last counted event, from which a restart continues. Absent = unknown. */
      readonly upTo?: number
    })
  /** The skim's cron fired: the next plan may pay profits out. */
  | (At & { readonly type: 'skimDue' })
  | (At & { readonly type: 'railFailed'; readonly rail: string; readonly words: string })
  /** The registered name of a payee's account; `name` null = unknown. `note`: the reason, or a remark on the name. */
  | (At & {
      readonly type: 'payeeNamed'
      readonly payee: string
      /** The account that was looked up, as JSON; results for the payee's earlier accounts are ignored. */
      readonly to: string
      readonly name: string | null
      readonly note: string | null
    } & LegPlace)
  | (At & { readonly type: 'quoteSeen'; readonly quote: LegQuote } & LegPlace)
  | (At & {
      readonly type: 'quoteFailed'
      readonly code: string
      readonly words: string
      readonly isFinal: boolean
    } & LegPlace)
  | (At & {
      readonly type: 'attemptPrepared'
      readonly key: string
      readonly body: string
      readonly block: bigint | null
      readonly n: number
    } & LegPlace)
  /** The call cannot be built from the state and the configuration: nothing was sent, and no key drawn. */
  | (At & { readonly type: 'prepareFailed'; readonly words: string } & LegPlace)
  | (At & {
      readonly type: 'legAnswered'
      readonly n: number
      /** The venue marks the answer as a replay of this key. Absent = not marked. */
      readonly replayed?: true
    } & LegFacts &
      LegPlace)
  /** `isFirst`: the refusal of a replay proves nothing. `retry` is the code's class in the table of refusals. */
  | (At & {
      readonly type: 'legRefused'
      readonly n: number
      readonly isFirst: boolean
      readonly code: string
      readonly words: string
      readonly retry: 'never' | 'backoff' | 'verify'
      /** The figures of a limit in base units; `used` null = it applies to one transaction. Absent = not stated. */
      readonly limit?: { readonly limit: bigint; readonly used: bigint | null }
    } & LegPlace)
  /** `sent` no = certainly never left. */
  | (At & {
      readonly type: 'legSilent'
      readonly n: number
      readonly sent: 'no' | 'maybe' | 'yes'
      readonly words: string
      /** A resource that the answer named, to be read. Absent = not named. */
      readonly named?: string
    } & LegPlace)
  | (At & {
      readonly type: 'resourceSeen'
      readonly status: ResourceStatus
      readonly received: bigint | null
      readonly fee: bigint | null
      readonly words: string
      readonly by: 'poll' | 'webhook' | 'answer'
      /** Set if an answer named it; `not` = why it is not ours, null = our amount and destination match. */
      readonly named?: { readonly id: string; readonly not: string | null }
    } & LegPlace)
  /** The result of the finders: a transfer on chain, a resource; null = nothing, which proves nothing. */
  | (At & {
      readonly type: 'findingSeen'
      readonly n: number
      /** `resourceId`: a resource to read from now on to detect its return; absent = no resource. */
      readonly found: {
        readonly reference: string
        readonly received: bigint
        readonly resourceId?: string
      } | null
      /** Candidates that fit but may belong to something else, as evidence. Absent = no candidates. */
      readonly candidates?: readonly FoundCandidate[]
      /** A resource with our amount and destination, to be read and followed. Absent = no such resource. */
      readonly named?: string
      readonly words: string
    } & LegPlace)
  | (At & {
      readonly type: 'webhookSeen'
      readonly event: string
      readonly resourceId: string | null
      readonly reference: string | null
      readonly status: string
      readonly hash: string
      readonly body: string
    })
  | (At & { readonly type: 'supplySeen'; readonly supply: bigint; readonly onChain: bigint | null })
  | (At & { readonly type: 'reconcileSeen'; readonly difference: bigint; readonly isReconciled: boolean })
  | (At & {
      readonly type: 'ordered'
      readonly order: TreasuryOrder
      readonly by: string
      readonly who: string
      /** The planned step of a payout; null = another order, or no route (`refusal`). */
      readonly planned: PlannedStep | null
      /** Why no route can carry a payout; null = one can, or it is another order. */
      readonly refusal: string | null
    })

/** An on-chain transfer, or a webhook's resource, with the received base units. */
export type FoundCandidate = {
  readonly by: 'chain' | 'webhook' | 'list'
  readonly reference: string
  readonly received: bigint
}

/** The event of one type. */
export type TreasuryEventOf<Type extends TreasuryEvent['type']> = Extract<
  TreasuryEvent,
  { readonly type: Type }
>

/** Orders by people. The event's `by` is their token. */
export type TreasuryOrder =
  | { readonly name: 'stop'; readonly why: string }
  | { readonly name: 'resume'; readonly why: string }
  | { readonly name: 'approve'; readonly intent: string; readonly envelope: string }
  | { readonly name: 'cancel'; readonly intent: string; readonly why: string }
  | { readonly name: 'hold'; readonly intent: string; readonly why: string }
  | {
      readonly name: 'payout'
      readonly payee: string
      readonly asset: TreasuryAsset
      readonly amount: bigint
      readonly why: string
    }
  | { readonly name: 'confirmBalances'; readonly why: string }
  /** Accepts the changed registered name of an account. */
  | {
      readonly name: 'confirmPayee'
      readonly payee: string
      /** The exact new name. */
      readonly registeredName: string
      readonly why: string
    }
  | {
      readonly name: 'resolveClaim'
      readonly intent: string
      readonly as: 'arrived' | 'returned' | 'lost'
      readonly received: bigint
      readonly why: string
    }
