import type { Result } from '../../base/result.ts'

/** A query of the daemon's HTTP API; undefined values are omitted. */
export type AssistantQuery = Readonly<Record<string, string | number | undefined>>

/** An assistant's proposal, as the body that the daemon's HTTP API expects: amounts are decimal text. */
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
  /** The benefit that the assistant claims; empty = none. */
  readonly claim: string
  readonly action: ProposedCommand
}

/**
 * The running daemon, reached with a token that may read. The port has no call that gives a command: the daemon
 * stores a proposal until a person decides. Errors are sentences.
 */
export type DaemonPort = {
  /** The JSON of a GET below /api/v1/. */
  readonly read: (path: string, query: AssistantQuery) => Promise<Result<unknown, string>>
  /** Stores a proposal in the daemon. `client` is the name that the assistant's program gives itself. */
  readonly propose: (asked: ProposalQuestion, client: string) => Promise<Result<unknown, string>>
}

/** Work that needs no daemon: in a separate thread, with a time limit, one job at a time. Errors are sentences. */
export type ResearchPort = {
  readonly explain: (position: string | undefined) => Promise<Result<unknown, string>>
  readonly backtest: (asked: BacktestQuestion) => Promise<Result<unknown, string>>
  readonly whatIf: (asked: WhatIfQuestion) => Promise<Result<unknown, string>>
  /** The results that the user named when starting the server; an error if no file was named. */
  readonly tournament: () => Result<unknown, string>
}

type Window = { readonly from?: string | undefined; readonly to?: string | undefined }

type BacktestQuestion = Window & {
  readonly position?: string | undefined
  /** The name of a bundled strategy. */
  readonly strategy?: string | undefined
  readonly params?: Readonly<Record<string, unknown>> | undefined
  readonly fills?: 'recorded' | 'thinned' | 'routed' | 'simulated' | undefined
  readonly seed?: number | undefined
}

type WhatIfQuestion = Window & {
  readonly position?: string | undefined
  /** New values by dotted path, in the form of a reload. */
  readonly changes: Readonly<Record<string, unknown>>
  readonly seed?: number | undefined
}

export type Document = { readonly name: string; readonly title: string; readonly text: string }

/** What the tools and resources work on. */
export type AssistantPorts = {
  readonly daemon: DaemonPort
  readonly research: ResearchPort
  readonly documents: readonly Document[]
}
