import type { Ms } from '../../base/time.ts'
import type { Rate } from '../../base/money/rate.ts'
import type { TreasuryConfig } from './config.ts'
import type { LegPlace } from './effect.ts'
import type { LegQuote } from './intent.ts'
import type { Holdings, TreasuryAsset } from './place.ts'
import type { OwnQuote, PlannedIntent, PlanWarning } from './plan-types.ts'

type At = { readonly t: Ms }

/**
 * What the policy wants, with the fresh random id of the intent that it becomes. A plan is journalled as it was made: the
 * fold over old events does not depend on how today's policy plans.
 */
export type PlannedStep = {
  readonly id: string
  readonly step: PlannedIntent
  /** It waits until the shell has looked up who is registered for the account that it pays. Absent = no one is looked up. */
  readonly isNamed?: true
}

/** How a resource stands at the venue, in one word for all kinds. */
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

/** What an answer means for a leg, whichever resource it is of. */
export type LegFacts = {
  readonly resourceId: string | null
  readonly status: ResourceStatus
  readonly reference: string | null
  readonly instructions: string | null
  readonly received: bigint | null
  readonly fee: bigint | null
  readonly words: string
}

/** Everything that the treasury learns. Each is numbered and journalled before its effects go out. */
export type TreasuryEvent =
  /**
   * `author` is the token that loaded or reloaded the policy; null = the start of the process. The hash is of all
   * that an approval rests on: policy, payees and the rules of approval.
   */
  | (At & {
      readonly type: 'configured'
      readonly config: TreasuryConfig
      readonly policyHash: string
      readonly author: string | null
    })
  /**
   * The process starts again: every attempt under way is silent. `isRestored`: the store was restored from a backup, so
   * that it may lack what was sent since; nothing is sent until a person has confirmed the balances.
   */
  | (At & {
      readonly type: 'restarted'
      readonly version: string
      readonly isRestored: boolean
      /** The partner API's address. From the first one on, a key protects only where the venue has shown that it does. */
      readonly venue?: string
    })
  /** Whether the partner's key is a live one, as the venue reports it. */
  | (At & { readonly type: 'modeSeen'; readonly isLive: boolean })
  /** The position was halted: what is approved and has not left waits for another approval. `since` tells halts apart. */
  | (At & { readonly type: 'halted'; readonly since: Ms; readonly why: string })
  /** Time has passed: what is due is done. */
  | (At & { readonly type: 'tick' })
  /**
   * What the policy made of `planInput`: the answer to `plan`. Left out where there are no steps and the warnings are those
   * that are known. Without `warnings` nothing has changed about them.
   */
  | (At & {
      readonly type: 'planned'
      readonly steps: readonly PlannedStep[]
      readonly warnings?: readonly PlanWarning[]
    })
  | (At & {
      readonly type: 'holdingsSeen'
      readonly holdings: Holdings
      readonly mid: Rate | null
      /** What the venue's solver holds on chain, from which pools are paid back; absent = no chain is configured. */
      readonly solver?: Readonly<Record<TreasuryAsset, bigint>>
      /** The position's own spread and whether it trades. */
      readonly quote: OwnQuote
    })
  /** Net flow of the position since the last one, base units of each token: what fills brought (+) and took (-). */
  | (At & {
      readonly type: 'flowSeen'
      readonly flow: Readonly<Record<TreasuryAsset, bigint>>
      /** What came into sight in the pool since then, which a venue had not stated before; absent = nothing. */
      readonly opened?: Readonly<Record<TreasuryAsset, bigint>>
      /** The position's event that it counts up to: a restart continues from there. Absent = not known. */
      readonly upTo?: number
    })
  /** The cron of the skim fired: the next plan may pay profits out. */
  | (At & { readonly type: 'skimDue' })
  | (At & { readonly type: 'railFailed'; readonly rail: string; readonly words: string })
  /** Who is registered for the account of a payee; `name` null = not known, and `note` has why, or what is odd about it. */
  | (At & {
      readonly type: 'payeeNamed'
      readonly payee: string
      /** The account that was looked up, as JSON: one that the payee had before decides nothing. */
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
  /** The call cannot be built from what is known and configured: nothing was sent, and nothing was drawn. */
  | (At & { readonly type: 'prepareFailed'; readonly words: string } & LegPlace)
  | (At & {
      readonly type: 'legAnswered'
      readonly n: number
      /** The venue marks it as the outcome of an earlier sending of this key. Absent = it does not. */
      readonly replayed?: true
    } & LegFacts &
      LegPlace)
  /**
   * `isFirst`: of the first sending; a refusal of a replay proves nothing. `retry` is the class of the code in the table of
   * outcomes: never, after a pause, or only once it is certain that nothing moved.
   */
  | (At & {
      readonly type: 'legRefused'
      readonly n: number
      readonly isFirst: boolean
      readonly code: string
      readonly words: string
      readonly retry: 'never' | 'backoff' | 'verify'
      /** The figures of a limit, base units; `used` null = of one transaction. Absent = it states none. */
      readonly limit?: { readonly limit: bigint; readonly used: bigint | null }
    } & LegPlace)
  /** `sent` no = certainly never left. */
  | (At & {
      readonly type: 'legSilent'
      readonly n: number
      readonly sent: 'no' | 'maybe' | 'yes'
      readonly words: string
      /** The resource that the answer named all the same: it is read. Absent = none. */
      readonly named?: string
    } & LegPlace)
  | (At & {
      readonly type: 'resourceSeen'
      readonly status: ResourceStatus
      readonly received: bigint | null
      readonly fee: bigint | null
      readonly words: string
      readonly by: 'poll' | 'webhook' | 'answer'
      /** It was read because an answer named it; `not` = why it does not show our amount and destination, null = it does. */
      readonly named?: { readonly id: string; readonly not: string | null }
    } & LegPlace)
  /** What the finders brought: a transfer on chain, a resource; null = nothing, which is no proof. */
  | (At & {
      readonly type: 'findingSeen'
      readonly n: number
      /** `resourceId`: a resource that can be read from now on, so that its return is seen; absent = it has none. */
      readonly found: {
        readonly reference: string
        readonly received: bigint
        readonly resourceId?: string
      } | null
      /** What fits, and may be of something else: evidence. Absent = none exists. */
      readonly candidates?: readonly FoundCandidate[]
      /** A resource that states our amount and destination, to be read and followed. Absent = none was found. */
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
      /** What the policy makes of a payout; null = another order, or the policy sees no way (`refusal`). */
      readonly planned: PlannedStep | null
      /** Why the policy sees no way for a payout; null = it sees one, or it is another order. */
      readonly refusal: string | null
    })

/** A transfer on chain, or the resource of a webhook, and base units that it brought. */
export type FoundCandidate = {
  readonly by: 'chain' | 'webhook' | 'list'
  readonly reference: string
  readonly received: bigint
}

/** What a person may order. `by` of the event is the token. */
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
  /** The account is registered under another name than before, and a person knows why. */
  | {
      readonly name: 'confirmPayee'
      readonly payee: string
      /** The name that was seen, exactly. */
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
