import { useState } from 'preact/hooks'
import type { IntentView } from '../../../view/treasury/intent-view.ts'
import { Panel } from '../panel.tsx'
import { ClaimDialog } from './claim-dialog.tsx'
import { Evidence } from './claim-evidence.tsx'
import { moveText, plainWords } from './intent-text.ts'
import { Timeline } from './intents-panel.tsx'
import type { ShownTreasury } from './use-treasury.ts'

type Props = { readonly view: ShownTreasury; readonly takesCommands: boolean; readonly onDone: () => void }

/** Claims: the evidence for the operator of the venue, and the form in which a person resolves one. */
export function ClaimsPanel({ view, takesCommands, onDone }: Props) {
  const [resolved, setResolved] = useState<IntentView | null>(null)
  const close = () => {
    setResolved(null)
    onDone()
  }
  return (
    <Panel id="claims" title="Claims" unit="never sent again by itself">
      {view.claims.map((claim) => (
        <article key={claim.id} class="intent">
          <h3>
            {moveText(claim)}
            <span class="bad">{plainWords(claim.why)}</span>
          </h3>
          <Timeline intent={claim} now={view.now} />
          <details>
            <summary>Evidence for the venue’s operator</summary>
            <Evidence claim={claim} />
          </details>
          {takesCommands && (
            <div class="buttons">
              <button type="button" class="primary" onClick={() => setResolved(claim)}>
                Resolve
              </button>
            </div>
          )}
        </article>
      ))}
      {resolved !== null && (
        <ClaimDialog key={resolved.id} claim={resolved} position={view.position} onClose={close} />
      )}
    </Panel>
  )
}
