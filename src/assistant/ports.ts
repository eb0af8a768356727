import type { Result } from '../base/result.ts'

/** A query of the daemon's HTTP API; what is undefined is left out. */
export type Query = Readonly<Record<string, string | number | undefined>>

/**
 * The running daemon, asked with a token that may read. It has no call that gives a command: what an assistant
 * proposes is stored there and waits for a person. The error is a sentence.
 */
export type DaemonPort = {
  /** The JSON of a GET below /api/v1/. */
  readonly read: (path: string, query: Query) => Promise<Result<unknown, string>>
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

export type BacktestQuestion = Window & {
  readonly position?: string | undefined
  /** A shipped strategy by its name. */
  readonly strategy?: string | undefined
  readonly params?: Readonly<Record<string, unknown>> | undefined
  readonly fills?: 'recorded' | 'thinned' | 'routed' | 'simulated' | undefined
  readonly seed?: number | undefined
}

export type WhatIfQuestion = Window & {
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
