import type { Result } from '../../base/result.ts'

/** A query of the daemon's HTTP API; what is undefined is left out. */
export type AssistantQuery = Readonly<Record<string, string | number | undefined>>

/** What an assistant proposes, as the body of the daemon's HTTP API has it: amounts are decimal text. */
export type ProposedCommand =
  | { readonly kind: 'configuration'; readonly changes: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'withdrawal'
      readonly asset: string
      readonly amount: string
      readonly toAddress: string
    }
  | { readonly kind: 'approval'; readonly intent: string }
  | { readonly kind: 'payout'; readonly payee: string; readonly asset: string; readonly amount: string }

export type ProposalQuestion = {
  readonly position: string | undefined
  readonly why: string
  /** What the assistant says would come of it; empty = nothing. */
  readonly claim: string
  readonly action: ProposedCommand
}

/**
 * The running daemon, asked with a token that may read. It has no call that gives a command: what an assistant
 * proposes is stored there and waits for a person. The error is a sentence.
 */
export type DaemonPort = {
  /** The JSON of a GET below /api/v1/. */
  readonly read: (path: string, query: AssistantQuery) => Promise<Result<unknown, string>>
  /** Leaves a proposal with the daemon. `client` is what the assistant's program calls itself. */
  readonly propose: (asked: ProposalQuestion, client: string) => Promise<Result<unknown, string>>
}

/** Work without the daemon: in a thread of its own, with a time limit, one at a time. The error is a sentence. */
export type ResearchPort = {
  readonly explain: (position: string | undefined) => Promise<Result<unknown, string>>
  readonly backtest: (asked: BacktestQuestion) => Promise<Result<unknown, string>>
  readonly whatIf: (asked: WhatIfQuestion) => Promise<Result<unknown, string>>
  /** The results that the person who started the server named; an error where none was named. */
  readonly tournament: () => Result<unknown, string>
}

type Window = { readonly from?: string | undefined; readonly to?: string | undefined }

type BacktestQuestion = Window & {
  readonly position?: string | undefined
  /** A shipped strategy by its name. */
  readonly strategy?: string | undefined
  readonly params?: Readonly<Record<string, unknown>> | undefined
  readonly fills?: 'recorded' | 'thinned' | 'routed' | 'simulated' | undefined
  readonly seed?: number | undefined
}

type WhatIfQuestion = Window & {
  readonly position?: string | undefined
  /** New values by dotted path, as for a reload. */
  readonly changes: Readonly<Record<string, unknown>>
  readonly seed?: number | undefined
}

/** One page of the documentation. */
export type Document = { readonly name: string; readonly title: string; readonly text: string }

/** What the tools and resources work on. */
export type AssistantPorts = {
  readonly daemon: DaemonPort
  readonly research: ResearchPort
  readonly documents: readonly Document[]
}
