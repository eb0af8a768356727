import { useEffect, useState } from 'preact/hooks'
import type { ParametersAnswer } from '../../api/api-types.ts'
import { askApi, query } from '../live/ask-api.ts'
import { Dialog } from './dialog.tsx'
import { ParametersEditor } from './parameters-editor.tsx'

type Props = { readonly position: string; readonly onClose: () => void }

/** The strategy's parameters: what they are, what they may be, and what would come of a change. */
export function ParametersDialog({ position, onClose }: Props) {
  const [answer, setAnswer] = useState<ParametersAnswer | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    void askApi<ParametersAnswer>(`parameters${query({ position })}`).then((asked) => {
      if (asked.ok) setAnswer(asked.value)
      else setProblem(asked.error.message)
    })
  }, [position])
  return (
    <Dialog
      title={answer === null ? `Parameters of ${position}` : `Parameters of ${position}: ${answer.use}`}
      onClose={onClose}
    >
      {answer === null ? (
        <>
          <p class={problem === null ? 'note' : 'bad'}>{problem ?? 'Loading.'}</p>
          <div class="buttons">
            <button type="button" onClick={onClose}>
              Back
            </button>
          </div>
        </>
      ) : (
        <ParametersEditor position={position} answer={answer} onClose={onClose} />
      )}
    </Dialog>
  )
}
