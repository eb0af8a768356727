/** What every answer of the venue may carry into the journal. Nobody decides anything from it. */
export type Answered = {
  /** Fields that the contract does not name, as JSON text; absent where there are none. */
  readonly unknownFields?: string
}
